import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../nodes/MessagingService/resources/operation.ts';
import type { Fields, FieldSchema, Returns } from '../nodes/MessagingService/returns/fields.ts';

/** A believable value of a field. */
function sampleOf({ examples, items, properties }: FieldSchema): unknown {
	if (examples !== undefined) return examples[0];
	if (items !== undefined) return [sampleOf(items)];
	return sampleItem(properties ?? {});
}

const sampleItem = (fields: Fields): object =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([, field]) => hasSample(field))
			.map(([name, field]) => [name, sampleOf(field)]),
	);

/** A field that only some items have may be without one. */
const hasSample = ({ examples, items, properties }: FieldSchema) =>
	[examples, items, properties].some((each) => each !== undefined);

/** A setting in words: "Simplify is off". */
function settingOf(name: string, value: unknown, fields: readonly INodeProperties[]): string {
	const [first, member] = name.split('.');
	const found = fields.find((candidate) => candidate.name === first);
	const members = (found?.options ?? []) as INodeProperties[];
	const field = member === undefined ? found : members.find((each) => each.name === member);
	const chosen = field?.options?.find((option) => 'value' in option && option.value === value);
	const words = typeof value === 'boolean' ? (value ? 'on' : 'off') : chosen?.name;
	return `${field?.displayName ?? name} is ${words ?? String(value)}`;
}

/** What an operation returns, for its section. */
export interface Returned {
	intro: string;
	sample: object;
	/** What other settings return, as lines of a list. */
	others: string[];
}

function introOf({ keepsInput, isOpen }: Returns): string {
	if (keepsInput === true) return 'Returns the fields of the input item, and:';
	return isOpen === true
		? 'Returns the response of the service if it is an object, otherwise:'
		: 'Returns, for example:';
}

/** What an operation returns, in the words of its page. */
export function returnedBy(
	operation: Operation,
	returns: Returns,
	fields: readonly INodeProperties[],
): Returned {
	const { otherwise = [] } = returns;
	const reachesPeople = 'reaches' in operation && !['nobody', 'events'].includes(operation.reaches);
	return {
		intro: introOf(returns),
		sample: { ...sampleItem(returns.fields), ...(reachesPeople && { sent: 'yes' }) },
		others: otherwise.map(({ when, fields: columns, keepsInput }) => {
			const settings = Object.entries(when).map(([name, value]) => settingOf(name, value, fields));
			const names = Object.keys(columns).map((name) => `\`${name}\``);
			const input = keepsInput === true ? ', then the fields of the input item' : '';
			return `- When ${settings.join(' and ')}: ${names.join(', ')}${input}`;
		}),
	};
}
