/** Finds the texts of pages and sources that people read. */
import ts from 'typescript';

/** A text, and the line of its file in which it starts. */
export interface Text {
	line: number;
	text: string;
}

/** All lines of a file. */
export function linesOf(content: string): Text[] {
	return content.split('\n').map((text, index) => ({ line: index + 1, text }));
}

/** A page without code: what stands in backticks or a fence is a name, not prose. */
export function proseOf(content: string): Text[] {
	let isCode = false;
	return linesOf(content).flatMap(({ line, text }) => {
		if (text.trimStart().startsWith('```')) isCode = !isCode;
		return isCode ? [] : [{ line, text: text.replace(/`[^`]*`|\]\([^)]*\)/g, '') }];
	});
}

/** All nodes and tokens of a source, from its start to its end, each with its line. */
function* nodesOf(
	content: string,
): Generator<{ node: ts.Node; line: number; source: ts.SourceFile }> {
	const source = ts.createSourceFile('', content, ts.ScriptTarget.Latest, true);
	const open: ts.Node[] = [source];
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
		yield { node, line: line + 1, source };
		open.push(...node.getChildren(source).toReversed());
	}
}

/** The literals of a source that have a space in them: others are names. */
export function literalsOf(content: string): Text[] {
	const found: Text[] = [];
	for (const { node, line } of nodesOf(content)) {
		const isText =
			ts.isLiteralExpression(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node);
		if (isText && node.text.trim().includes(' ')) found.push({ line, text: node.text });
	}
	return found;
}

/** A comment as prose: without its marks, and without names, quotations and code. */
function proseOfComment(comment: string): string {
	return comment
		.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
		.replace(/@param \S+|`[^`]*`|"[^"]*"/g, '');
}

/** The comments of a source. Those that follow each other are one text. */
export function commentsOf(content: string): Text[] {
	const found = new Map<number, Text>();
	for (const { node, source } of nodesOf(content)) {
		for (const comments of [
			ts.getLeadingCommentRanges(content, node.getFullStart()) ?? [],
			ts.getTrailingCommentRanges(content, node.getEnd()) ?? [],
		]) {
			const [first] = comments;
			const last = comments.at(-1);
			if (first === undefined || last === undefined) continue;
			const { line } = source.getLineAndCharacterOfPosition(first.pos);
			const text = proseOfComment(content.slice(first.pos, last.end));
			found.set(first.pos, { line: line + 1, text });
		}
	}
	return [...found.values()];
}

const TEST_FUNCTION = /^(?:describe|it|test)\b/;

/** The names of tests and of groups of tests, without what `${}` puts into them. */
export function testNamesOf(content: string): Text[] {
	const found: Text[] = [];
	for (const { node, line, source } of nodesOf(content)) {
		if (!ts.isCallExpression(node) || !TEST_FUNCTION.test(node.expression.getText(source)))
			continue;
		const [name] = node.arguments;
		if (name === undefined) continue;
		if (!ts.isStringLiteralLike(name) && !ts.isTemplateExpression(name)) continue;
		found.push({ line, text: name.getText(source).replace(/\$\{[^}]*\}/g, '') });
	}
	return found;
}
