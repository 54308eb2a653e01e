/**
 * Looks for words that the glossary does not want in what people read: pages, notes on canvases,
 * fields, errors, the sandbox's page, and what `npm start` prints. Part of `npm run lint`.
 */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { forbiddenWords } from './glossary.mts';

interface Text {
	file: string;
	line: number;
	text: string;
}

function linesOf(file: string): Text[] {
	return readFileSync(file, 'utf8')
		.split('\n')
		.map((text, index) => ({ file, line: index + 1, text }));
}

/** Pages without code: what stands in backticks or a fence is a name, not prose. */
function proseOf(file: string): Text[] {
	let isCode = false;
	return linesOf(file).flatMap((line) => {
		if (line.text.trimStart().startsWith('```')) isCode = !isCode;
		return isCode ? [] : [{ ...line, text: line.text.replace(/`[^`]*`|\]\([^)]*\)/g, '') }];
	});
}

/** The texts of a source: literals with a space in them. */
function literalsOf(file: string): Text[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	const found: Text[] = [];
	const visit = (node: ts.Node): void => {
		if (
			ts.isLiteralExpression(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node)
		) {
			if (node.text.trim().includes(' ')) {
				const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
				found.push({ file, line: line + 1, text: node.text });
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const texts = [
	...globSync(['*.md', 'docs/**/*.md', 'examples/*.md', 'sandbox/*.md']).flatMap(proseOf),
	...globSync('examples/*.json').flatMap(linesOf),
	...globSync(['{nodes,credentials}/**/*.ts', 'host/*.ts', 'sandbox/service/**/*.ts']).flatMap(
		literalsOf,
	),
];

const findings = texts.flatMap(({ file, line, text }) =>
	forbiddenWords(text).map(({ word, instead }) => `${file}:${String(line)}  "${word}": ${instead}`),
);
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
	console.error(`\n${String(findings.length)} words that the glossary does not want.`);
	process.exitCode = 1;
}
