import type { Ignorer } from '@stryker-mutator/api/ignore';

/** A property of an object, in Babel's syntax tree. */
interface Property {
	type: string;
	key?: { name?: string; value?: unknown };
	computed?: boolean;
}

/** The parts of the syntax tree that are looked at. */
interface TreePath {
	node: Property & { properties?: Property[] };
	key: string | number | null;
	parentPath: TreePath | null;
}

/** Properties of n8n's node descriptions that people read and no program does. */
const TEXTS = new Set([
	'action',
	'activationMessage',
	'description',
	'displayName',
	'eventTriggerDescription',
	'hint',
	'multipleValueButtonText',
	'notice',
	'placeholder',
]);

const nameOf = ({ key }: Property) => String(key?.name ?? key?.value);

/**
 * Leaves out what n8n shows to people: a test that repeats a label word for word would pass or fail
 * with the wording, and show nothing. Only literals are left out, where a property of such a name
 * gets its value; what is worked out in code stays in.
 */
export const displayTexts: Ignorer = {
	shouldIgnore(path) {
		const { node, key, parentPath } = path as unknown as TreePath;
		if (!/^(String|Template)Literal$/.test(node.type) || key !== 'value') return undefined;
		const property = parentPath?.node;
		if (property?.type !== 'ObjectProperty' || property.computed === true) return undefined;
		const name = nameOf(property);
		// A menu's entry, `{ name, value }`, has its text in `name`.
		const siblings = parentPath?.parentPath?.node.properties ?? [];
		const isText = TEXTS.has(name) || (name === 'name' && siblings.map(nameOf).includes('value'));
		return isText ? `"${name}" is a text that n8n shows` : undefined;
	},
};
