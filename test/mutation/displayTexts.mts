import type { Ignorer } from '@stryker-mutator/api/ignore';

/** The parts of a syntax tree node (Babel's) that are looked at. */
interface TreePath {
	node: {
		type: string;
		key?: { type: string; name?: string; value?: unknown };
		computed?: boolean;
	};
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
		const name = String(property.key?.name ?? property.key?.value);
		return TEXTS.has(name) ? `"${name}" is a text that n8n shows` : undefined;
	},
};
