import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { InputError, shown } from './inputError';

/** For n8n's AI builder, on fields that take the name of an input field. */
export const namesInputField = {
	propertyHint:
		'The name of a field of the input items, e.g. "phone" or "customer.phone": no expression, no value.',
} satisfies INodeProperties['builderHint'];

/** The names of all input fields; items need not all have the same ones. */
export function inputFieldNames(
	items: readonly INodeExecutionData[],
	itemIndexes: Iterable<number> = items.keys(),
): Set<string> {
	const names = new Set<string>();
	for (const index of itemIndexes) {
		for (const name in items[index]?.json) names.add(name);
	}
	return names;
}

/**
 * The input field that a field is mapped from automatically: one with its name, where "Custom 1",
 * "custom_1" and "CUSTOM1" are alike.
 * @param label display name of the field that names another input field
 * @throws InputError for two such input fields: the rest would be dropped silently
 */
export function matchingField(
	names: Iterable<string>,
	matches: readonly string[],
	label: string,
): string | undefined {
	const wanted = new Set(matches.map(plain));
	const [found, other] = [...names].filter((name) => wanted.has(plain(name)));
	if (other === undefined) return found;
	throw new InputError(
		label,
		`matches "${shown(found).slice(0, 18)}" and "${shown(other).slice(0, 18)}"`,
		'Rename or remove one of these input fields, or enter the name of the one to use.',
	);
}

function plain(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}
