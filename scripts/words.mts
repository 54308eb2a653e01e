/**
 * Looks for words that the glossary does not want in what people read: pages, notes on canvases,
 * fields, errors, the sandbox's page, and what `npm start` prints. Part of `npm run lint`.
 */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** What not to write, and what to write instead. */
const forbidden: [pattern: RegExp, instead: string][] = [
	[/\bunder way\b|\bat once\b/i, 'in progress, simultaneously, immediately'],
	[/\bunusable\b|\b(?:cannot be used|does not fit)\b/i, 'invalid'],
	[/\bmend(?:s|ed|ing)?\b/i, 'fix'],
	[/\bpush(?:es|ed|ing)? the (?:time|clock)\b/i, 'advance the clock'],
	[/\bstand-in\b|\bstubs?\b/i, 'sandbox'],
	[/\bproviders?\b/i, 'operator'],
	[/\bwhatever\b|\bin vain\b|\bbecomes? of\b|\bnobody knows\b|\buncertain\b/i, 'say it plainly'],
	[/\baboard\b|\bpassengers?\b|\bborrow(?:s|ed)?\b/i, 'no metaphors'],
	[/\bputs? (?:it|them) back\b|\btells? the service\b/i, 'restore, register the webhook URL'],
	[/\bthe same again\b/i, 'duplicate'],
	[/\b(?:de)?activat(?:e|es|ed|ing|ion)\b(?! \(n8n 1)/i, 'publish, unpublish'],
	[/\banswers?\b/i, 'response, responds'],
];

/** Names and terms that contain such a word. */
const allowed = /\b(?:no|not) answer\b|\banswer rate\b|\blocal stand-in\b|"unusable"/gi;

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
	forbidden.flatMap(([pattern, instead]) => {
		const [word] = pattern.exec(text.replace(allowed, '')) ?? [];
		return word === undefined ? [] : [`${file}:${String(line)}  "${word}": ${instead}`];
	}),
);
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
	console.error(`\n${String(findings.length)} words that the glossary does not want.`);
	process.exitCode = 1;
}
