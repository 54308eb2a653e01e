import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** One change of the code, which a test should notice. */
export interface Mutation {
	file: string;
	line: number;
	/** The function around it; empty where it is none. */
	within: string;
	/** The constant of the file whose value it is, where it is one. */
	constant: string | undefined;
	/** What is changed into what, on one line. */
	what: string;
	/** Whether it is a constant or a default: what `--values` changes. */
	isValue: boolean;
}

/** A mutation with its place in the syntax tree. */
export interface Change {
	/** The expression or statement that is another one. */
	node: ts.Node;
	/** What stands in its place; empty for a statement that is left out. */
	text: string;
	/** For a condition: which way it always goes. */
	decision: boolean | undefined;
	mutation: Mutation;
}

const K = ts.SyntaxKind;
const OPERATORS = new Map<ts.SyntaxKind, string>([
	...([
		[K.LessThanToken, '<='],
		[K.LessThanEqualsToken, '<'],
		[K.GreaterThanToken, '>='],
		[K.GreaterThanEqualsToken, '>'],
		[K.EqualsEqualsEqualsToken, '!=='],
		[K.ExclamationEqualsEqualsToken, '==='],
		[K.AmpersandAmpersandToken, '||'],
		[K.BarBarToken, '&&'],
		[K.PlusToken, '-'],
		[K.MinusToken, '+'],
		[K.AsteriskToken, '/'],
	] as const),
]);
/** Methods that tidy a value up. */
const TIDYING = /^(trim|toLowerCase|toUpperCase|replace|replaceAll|normalize|sort|reverse)$/;
const ESCAPING = /^(encodeURIComponent|encodeURI|visibleName|shorten|inOneLine|escapeRegExp)$/;

export function sourceOf(file: string): ts.SourceFile {
	return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** All changes of a file. */
export function changesOf(source: ts.SourceFile): Change[] {
	const found: Change[] = [];
	const add: Add = (node, text, { what, isValue = false, decision } = {}) => {
		const start = node.getStart(source);
		const before = source.text.slice(start, node.end);
		const described = what ?? `${before} -> ${text === '' ? 'nothing' : text}`;
		const mutation = {
			file: source.fileName,
			line: source.getLineAndCharacterOfPosition(start).line + 1,
			within: functionAround(node),
			constant: constantAround(node),
			what: described.replace(/\s+/g, ' ').slice(0, 110),
			isValue,
		};
		found.push({ node, text, decision, mutation });
	};
	const visit = (node: ts.Node): void => {
		mutate(node, source, add);
		// Types and imports do nothing.
		ts.forEachChild(node, (child) =>
			ts.isTypeNode(child) || ts.isImportDeclaration(child) ? undefined : visit(child),
		);
	};
	visit(source);
	return found;
}

type Add = (
	node: ts.Node,
	text: string,
	options?: { what?: string; isValue?: boolean; decision?: boolean },
) => void;

function mutate(node: ts.Node, source: ts.SourceFile, add: Add): void {
	const textOf = (part: ts.Node) => part.getText(source);
	const decide = (condition: ts.Expression) => {
		add(condition, 'true', { decision: true });
		add(condition, 'false', { decision: false });
	};
	if (ts.isNumericLiteral(node)) {
		const number = Number(node.text.replaceAll('_', ''));
		// A limit or a time that is one more is the same to people.
		const isLarge = isValue(node) && number > 20;
		add(node, String(isLarge ? 2 * number : number + 1), { isValue: isValue(node) });
	} else if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
		add(node, node.kind === K.TrueKeyword ? 'false' : 'true', { isValue: isValue(node) });
	} else if (ts.isStringLiteral(node) && isValue(node)) {
		add(node, node.text === '' ? "'changed'" : "''", { isValue: true });
	} else if (ts.isBinaryExpression(node)) {
		mutateOperator(node, textOf, add);
	} else if (ts.isIfStatement(node)) {
		decide(node.expression);
	} else if (ts.isConditionalExpression(node)) {
		decide(node.condition);
	} else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
		if (!textOf(node).startsWith('super(')) add(node, '');
	} else if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
		add(node, textOf(node.operand));
	}
	if (ts.isCallExpression(node)) mutateCall(node, textOf, add);
}

function mutateOperator(
	node: ts.BinaryExpression,
	textOf: (part: ts.Node) => string,
	add: Add,
): void {
	const { left, operatorToken, right } = node;
	if (operatorToken.kind === K.QuestionQuestionToken) add(node, textOf(right));
	const operator = OPERATORS.get(operatorToken.kind);
	if (operator === undefined) return;
	const what = `${textOf(operatorToken)} -> ${operator} in ${textOf(node)}`;
	add(node, `${textOf(left)} ${operator} ${textOf(right)}`, { what });
}

function mutateCall(node: ts.CallExpression, textOf: (part: ts.Node) => string, add: Add): void {
	const { expression, arguments: args } = node;
	const [first, second, ...rest] = args.map(textOf);
	if (ts.isPropertyAccessExpression(expression) && TIDYING.test(expression.name.text)) {
		add(node, textOf(expression.expression));
	} else if (ts.isIdentifier(expression) && ESCAPING.test(expression.text) && first !== undefined) {
		add(node, first);
	} else if (first !== undefined && second !== undefined && first !== second) {
		add(node, `${textOf(expression)}(${[second, first, ...rest].join(', ')})`);
	}
}
/** Whether a literal is a constant of a file, or the default or limit of a field. */
function isValue(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isPropertyAssignment(parent)) {
		return /^(default|minValue|maxValue)$/.test(parent.name.getText());
	}
	for (let each: ts.Node = node; !ts.isSourceFile(each); each = each.parent) {
		if (ts.isFunctionLike(each) || ts.isCallExpression(each)) return false;
		if (ts.isVariableStatement(each))
			return ts.isNumericLiteral(node) && ts.isSourceFile(each.parent);
	}
	return false;
}

/** The functions of a file that name a constant, empty for the file itself, as V8 names them. */
export function functionsWith(file: string, constant: string): string[] {
	const text = readFileSync(file, 'utf8');
	if (!text.includes(constant)) return [];
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node) && node.text === constant && !ts.isImportSpecifier(node.parent)) {
			const isDeclared = ts.isVariableDeclaration(node.parent) && node.parent.name === node;
			if (!isDeclared) found.add(functionAround(node));
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return [...found];
}

/** The name of the constant of the file that a node is part of. */
function constantAround(node: ts.Node): string | undefined {
	if (functionAround(node) !== '') return undefined;
	for (let each: ts.Node = node; !ts.isSourceFile(each); each = each.parent) {
		if (ts.isVariableDeclaration(each) && ts.isIdentifier(each.name)) return each.name.text;
	}
	return undefined;
}

/** The name of the nearest function that has one, as V8 names it. */
function functionAround(node: ts.Node): string {
	for (let each: ts.Node = node; !ts.isSourceFile(each); each = each.parent) {
		if (!ts.isFunctionLike(each) || ts.isTypeNode(each)) continue;
		if (ts.isConstructorDeclaration(each)) return each.parent.name?.text ?? '';
		const named = each.name ?? (each.parent as ts.NamedDeclaration).name;
		if (named !== undefined && ts.isIdentifier(named)) return named.text;
	}
	return '';
}
