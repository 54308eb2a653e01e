/** The fields of an operation as lines of a table, for the generated pages. */
import type { INodeProperties } from 'n8n-workflow';

/** A line of a table of fields. */
export interface Line {
	/** Where it stands: "Additional Fields › Start". */
	name: string;
	/** What belongs into it, "required" included. */
	value: string;
	text: string;
}

const MENUS = ['resource', 'operation', '@tool'];

/** Texts and buttons of a form. */
const NOT_FIELDS = new Set(['notice', 'hidden', 'callout', 'button']);

const escapeCell = (text: string) =>
	text
		.replace(/<[^>]*>/g, '')
		.replaceAll('|', '\\|')
		.replace(/\s*\n\s*/g, ' ');

/** The field's own conditions in words: "when Contacts From is All Input Items". */
function conditionOf(field: INodeProperties, fields: readonly INodeProperties[]): string {
	const { show = {}, hide = {} } = field.displayOptions ?? {};
	const named = (name: string, values: readonly unknown[]) => {
		const other = fields.find((candidate) => candidate.name === name.replace(/^\//, ''));
		const names = values.map((value) => {
			if (typeof value === 'object') return 'set';
			if (typeof value === 'boolean') return value ? 'on' : 'off';
			const option = (other?.options ?? []).find(
				(candidate) => 'value' in candidate && candidate.value === value,
			);
			return option?.name.replace(/ \(.*\)$/, '') ?? String(value);
		});
		return [other?.displayName ?? name, names.join(' or ')] as const;
	};
	const of = (conditions: NonNullable<typeof show>, verb: string) =>
		Object.entries(conditions)
			.filter(([name]) => !MENUS.includes(name))
			.map(([name, values]) => named(name, values ?? []).join(` ${verb} `));
	const all = [...of(show, 'is'), ...of(hide, 'is not')];
	return all.length === 0 ? '' : `When ${all.join(' and ')}.`;
}

/** Names of choices; those that differ by a number only as one: "Parameter 1 to Parameter 9". */
function listOf(names: readonly string[]): string {
	const [first = '', ...others] = names;
	const isSeries =
		others.length > 1 && others.every((name) => name.replace(/\d/, '') === first.replace(/\d/, ''));
	return isSeries ? `${first} to ${others.at(-1) ?? ''}` : names.join(', ');
}

/** What a field takes: its kind or its choices, and its default where it says something. */
function valueOf(field: INodeProperties): string {
	const { type, options = [], required } = field;
	const choices = options.flatMap((option) => ('value' in option ? [option.name] : []));
	const kinds: Partial<Record<INodeProperties['type'], string>> = {
		options: 'from a list',
		string: 'text',
		number: 'number',
		boolean: 'on or off',
		dateTime: 'date and time',
		json: 'JSON',
		collection: '',
		fixedCollection: field.typeOptions?.multipleValues === true ? 'any number of entries' : '',
		resourceLocator: (field.modes ?? []).map(({ displayName }) => displayName).join(', '),
	};
	const parts = [
		choices.length > 0 && (type === 'options' || type === 'multiOptions')
			? listOf(choices)
			: (kinds[type] ?? type),
		defaultOf(field),
		required === true ? '**required**' : '',
	];
	return parts.filter((part) => part !== '').join('; ');
}

function defaultOf(field: INodeProperties): string {
	const { type, default: value, description = '', options = [] } = field;
	// Where a text says what happens without the field, the default is only what it is added with.
	const word = /\bWithout this (field|option)\b/.test(description) ? 'initially' : 'default';
	if (type === 'boolean') return value === true ? 'on by default' : '';
	const choice = options.find((option) => 'value' in option && option.value === value);
	if (type === 'options' && choice !== undefined) return `${word} ${choice.name}`;
	if (type === 'number' && value !== 0) return `${word} ${String(value)}`;
	return '';
}

function textOf(field: INodeProperties, fields: readonly INodeProperties[]): string {
	const sentences = [conditionOf(field, fields), field.description ?? '', field.hint ?? ''];
	return sentences
		.map((sentence) => sentence.trim())
		.filter((sentence) => sentence !== '')
		.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

/** A field and everything inside it. A collection that says nothing of itself has no line. */
export function linesOf(
	field: INodeProperties,
	fields: readonly INodeProperties[],
	within = '',
): Line[] {
	if (NOT_FIELDS.has(field.type)) return [];
	const name = `${within}${field.displayName}`;
	const inner = (field.options ?? []).flatMap((option): Line[] => {
		if ('values' in option) {
			return option.values.flatMap((value) => linesOf(value, fields, `${name} › `));
		}
		return 'type' in option ? linesOf(option, fields, `${name} › `) : [];
	});
	const own = { name, value: valueOf(field), text: textOf(field, fields) };
	return own.value === '' && own.text === '' ? inner : [own, ...inner];
}

/** A line as a row of a table. */
export const rowOf = ({ name, value, text }: Line) =>
	`| ${[name, value, text].map(escapeCell).join(' | ')} |`;

/** Lines that differ by a number only as one: "Parameter 1 to Parameter 9". */
function joined(lines: readonly Line[]): Line[] {
	const runs = new Map<string, Line[]>();
	for (const line of lines) {
		const key = rowOf(line).replace(/\d/, '#');
		runs.set(key, [...(runs.get(key) ?? []), line]);
	}
	return [...runs.values()].flatMap((run) => {
		const [first, last] = [run[0], run.at(-1)];
		if (first === undefined || last === undefined || run.length < 3) return run;
		return { ...first, name: `${first.name} to ${last.name.split(' › ').at(-1) ?? ''}` };
	});
}

export function table(lines: readonly Line[]): string[] {
	return ['| Field | Value | |', '|---|---|---|', ...joined(lines).map(rowOf)];
}
