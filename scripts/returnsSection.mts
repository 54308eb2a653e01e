import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../nodes/MessagingService/resources/operation.ts';
import type { Fields, FieldSchema } from '../nodes/MessagingService/returns/fields.ts';

/** A believable value of a field. */
function sampleOf({ examples, items, properties }: FieldSchema): unknown {
	if (examples !== undefined) return examples[0];
	if (items !== undefined) return [sampleOf(items)];
	return sampleItem(properties ?? {});
}

const sampleItem = (fields: Fields): object =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleOf(field)]));

/** A setting in words: "Simplify is off". */
function settingOf(path: string, value: unknown, fields: readonly INodeProperties[]): string {
	const [name = '', ...rest] = path.split('.');
	const field = fields.find((candidate) => candidate.name === name);
	const options = field?.options ?? [];
	if (rest.length > 0) return settingOf(rest.join('.'), value, options as INodeProperties[]);
	const chosen = options.find((option) => 'value' in option && option.value === value);
	const words = typeof value === 'boolean' ? (value ? 'on' : 'off') : chosen?.name;
	return `${field?.displayName ?? name} is ${words ?? String(value)}`;
}

/** The part of an operation's section about its output: an example, and what other settings return. */
export function returnsSection(
	{ returns, reachesPeople }: Operation,
	fields: readonly INodeProperties[],
): string[] {
	const { otherwise = [], isOpen, keepsInput } = returns;
	const sample = { ...sampleItem(returns.fields), ...(reachesPeople === true && { sent: 'yes' }) };
	const others = otherwise.map(({ when, fields: columns, isOpen: isAsReceived }) => {
		const settings = Object.entries(when).map(([path, value]) => settingOf(path, value, fields));
		const names = Object.keys(columns).map((name) => `\`${name}\``);
		const what = isAsReceived === true ? 'the response of the service' : names.join(', ');
		return `- When ${settings.join(' and ')}: ${what}`;
	});
	const open =
		keepsInput === true
			? 'Returns the fields of the input item, and:'
			: 'Returns the response of the service if it is an object, otherwise:';
	return [
		isOpen === true ? open : 'Returns, for example:',
		'',
		'```json',
		JSON.stringify(sample, null, 2),
		'```',
		'',
		...(others.length === 0 ? [] : [...others, '']),
	];
}
