import ts from 'typescript';
import { changesOf, type Change } from './mutations.mts';

/** Where a module finds the two functions below: a test's environment puts them there. */
const HEADER =
	"const { isChanged__, decided__ } = globalThis[Symbol.for('mutation')] ?? " +
	'{ isChanged__: () => false, decided__: (_true, _false, value) => value }; ';

/**
 * The text of a file in which each change is a switch: `isChanged__(id)` tells whether it is on, and
 * `decided__(id, id, value)` what a condition comes to.
 *
 * @param firstId the number of the file's first change; the others count on from it
 */
export function withSwitches(source: ts.SourceFile, firstId: number): string {
	const switches = new Map<ts.Node, Switch[]>();
	changesOf(source).forEach((change, index) => {
		const { node, text } = placeFor(change, source);
		const here = switches.get(node) ?? [];
		switches.set(node, [...here, { id: firstId + index, text, decision: change.decision }]);
	});
	const render = (node: ts.Node): string => {
		const children: ts.Node[] = [];
		ts.forEachChild(node, (child) => void children.push(child));
		let text = '';
		let end = node.getStart(source);
		for (const child of children.sort((a, b) => a.pos - b.pos)) {
			text += source.text.slice(end, child.getStart(source)) + render(child);
			end = child.end;
		}
		text += source.text.slice(end, node.end);
		return switched(node, text, switches.get(node) ?? []);
	};
	return HEADER + render(source);
}

interface Switch {
	id: number;
	text: string;
	decision: boolean | undefined;
}

/** An optional chain is changed as a whole: brackets inside would end it. */
function placeFor({ node, text }: Change, source: ts.SourceFile): { node: ts.Node; text: string } {
	let whole = node;
	while (ts.isOptionalChain(whole) && isContinued(whole)) whole = whole.parent;
	if (whole === node) return { node, text };
	const start = whole.getStart(source);
	const before = source.text.slice(start, node.getStart(source));
	return { node: whole, text: before + text + source.text.slice(node.end, whole.end) };
}

function isContinued(node: ts.Node): boolean {
	const { parent } = node;
	return ts.isOptionalChain(parent) && parent.expression === node;
}

/** @param text the node's, with the switches inside it */
function switched(node: ts.Node, text: string, switches: readonly Switch[]): string {
	if (switches.length === 0) return text;
	if (ts.isStatement(node)) {
		// The outer braces keep the `else` after it where it belongs.
		return `{ if (!isChanged__(${switches[0]?.id})) { ${text} } }`;
	}
	let expression = text;
	for (const { id, text: changed, decision } of switches) {
		if (decision === undefined)
			expression = `(isChanged__(${id}) ? (${changed}) : (${expression}))`;
	}
	const whenTrue = switches.find(({ decision }) => decision === true);
	const whenFalse = switches.find(({ decision }) => decision === false);
	if (whenTrue && whenFalse) {
		expression = `decided__(${whenTrue.id}, ${whenFalse.id}, ${expression})`;
	}
	return isKey(node) ? `[${expression}]` : expression;
}

/** Whether a literal is the name of a property. */
function isKey(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isBindingElement(parent)) return parent.propertyName === node;
	return ts.isPropertyAssignment(parent) && parent.name === node;
}
