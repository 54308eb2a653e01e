/**
 * Looks for words that the glossary does not want in what people read: pages, notes on canvases,
 * fields, errors, the sandbox's page, what `npm start` prints, comments, and the names of tests.
 * Part of `npm run lint`.
 */
import { globSync, readFileSync } from 'node:fs';
import { forbiddenWords } from './glossary.mts';
import { commentsOf, linesOf, literalsOf, proseOf, testNamesOf, type Text } from './texts.mts';

const SOURCES = [
	'{nodes,credentials,scripts,test}/**/*.{ts,mts,mjs}',
	'host/*.{ts,mjs}',
	'sandbox/{,lint/,service/**/}*.{ts,mts,mjs}',
];

/** Which files are read, and which of their texts. */
const checks: [patterns: string[], read: (content: string) => Text[]][] = [
	[['*.md', '{docs,test}/**/*.md', 'examples/*.md', 'sandbox/*.md'], proseOf],
	[['examples/*.json'], linesOf],
	[['{nodes,credentials}/**/*.ts', 'host/*.ts', 'sandbox/service/**/*.ts'], literalsOf],
	[SOURCES, commentsOf],
	[['test/**/*.ts'], testNamesOf],
];

const findings = checks.flatMap(([patterns, read]) =>
	globSync(patterns, { exclude: ['**/node_modules/**'] }).flatMap((file) =>
		read(readFileSync(file, 'utf8')).flatMap(({ line, text }) =>
			forbiddenWords(text).map(
				({ word, instead }) => `${file}:${String(line)}  "${word}": ${instead}`,
			),
		),
	),
);
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
	console.error(`\n${String(findings.length)} words that the glossary does not want.`);
	process.exitCode = 1;
}
