import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { Failure } from '../failure';
import { isObject, parseJson } from '../json';
import { shown } from '../texts';

/**
 * Readers of what an expression, a sheet or another node gives: each returns the value of a field
 * in its type, or throws a Failure that names the field.
 */

/** Whether a value is none: `undefined`, `null` or a text without a character other than spaces. */
export function isNothing(value: unknown): value is '' | null | undefined {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** @throws Failure when the value is none */
export function assertSomething(value: unknown, label: string): void {
	if (!isNothing(value)) return;
	throw Failure.ofField(
		label,
		'is empty',
		'Enter a value, or check that its expression names an input field that has one. If the field is optional, remove it.',
	);
}

const TRUE = new Set(['true', 'yes', '1']);
const FALSE = new Set(['false', 'no', '0']);

/** true or false, also as a text ("true", "YES") or as 1 or 0. */
function readBoolean(value: unknown, label: string): boolean {
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (TRUE.has(text)) return true;
	if (FALSE.has(text)) return false;
	throw Failure.ofField(label, `is neither true nor false (${shown(value)})`, 'Use true or false.');
}

/** One of the values of a menu, exactly as the menu has it. */
export function readOption<Value extends string>(
	value: unknown,
	label: string,
	allowed: readonly Value[],
): Value {
	assertSomething(value, label);
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw Failure.ofField(
		label,
		`cannot be "${shown(value)}"`,
		`Use one of these values: ${allowed.join(', ')}.`,
	);
}

/** Several values of a menu, as a list or as a text with commas; an empty list is one. */
export function readOptions<Value extends string>(
	value: unknown,
	label: string,
	allowed: readonly Value[],
): Value[] {
	assertSomething(value, label);
	const texts = typeof value === 'string' ? value.split(',').map((text) => text.trim()) : value;
	if (Array.isArray(texts)) return texts.map((text) => readOption(text, label, allowed));
	throw Failure.ofField(
		label,
		`is not a list (${shown(value)})`,
		`Use a list of these values: ${allowed.join(', ')}.`,
	);
}

/**
 * A whole number; as a text, in decimal digits only.
 * @param limits both included
 */
export function readInteger(
	value: unknown,
	label: string,
	{ min = -Infinity, max = Infinity }: { min?: number; max?: number } = {},
): number {
	assertSomething(value, label);
	const isDigits = typeof value === 'string' && /^-?\d+$/.test(value.trim());
	const number = isDigits || typeof value === 'bigint' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
		throw Failure.ofField(
			label,
			`is not a whole number (${shown(value)})`,
			'Write it in decimal digits only, for example 50.',
		);
	}
	if (number < min) {
		throw Failure.ofField(label, `is less than ${min} (${number})`, `Use ${min} or more.`);
	}
	if (number > max) {
		throw Failure.ofField(label, `is more than ${max} (${number})`, `Use ${max} or less.`);
	}
	return number;
}

/** Of a list where one value is needed. */
export const LIST_ADVICE =
	'Put Split Out before this node, so that each entry is an item, or choose one of the list: phones[0] in place of phones.';

/** A text; a number becomes its digits, unless it has lost some. */
export function readText(value: unknown, label: string): string {
	assertSomething(value, label);
	if (typeof value === 'string') {
		if (value.isWellFormed()) return value;
		throw Failure.ofField(
			label,
			'contains an invalid Unicode character',
			'Remove the character. It may be half of an emoji that an expression has cut off.',
		);
	}
	if (typeof value === 'bigint') return String(value);
	if (Array.isArray(value)) {
		throw Failure.ofField(label, 'is a list', LIST_ADVICE);
	}
	if (typeof value !== 'number') {
		throw Failure.ofField(
			label,
			'is neither text nor a number',
			'Use an expression that returns one field of the input: text or a number, not true or false, an object or a list.',
		);
	}
	if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
		throw Failure.ofField(
			label,
			`is a number that has lost digits (${shown(value)})`,
			'Pass it as text, for example by formatting the column of the spreadsheet as text.',
		);
	}
	return String(value);
}

/** The type that a field's value has in a request. */
export type FieldValue<Field extends { type: NodePropertyTypes }> = Field['type'] extends 'boolean'
	? boolean
	: Field['type'] extends 'number'
		? number
		: Field['type'] extends 'string' | 'options' | 'resourceLocator'
			? string
			: Field['type'] extends 'multiOptions'
				? string[]
				: unknown;

/**
 * A field's value in the type that its definition says: a switch is a boolean, a menu has one of its
 * values, a number keeps its limits, a text is a text. Dates, lists and JSON keep their form: what
 * they mean is up to the operation.
 * @param label how messages name the field
 * @throws Failure when there is no value, or one of another type
 */
export function readFieldValue<Field extends INodeProperties>(
	field: Field,
	value: unknown,
	label?: string,
): FieldValue<Field>;
export function readFieldValue(
	field: INodeProperties,
	value: unknown,
	label = field.displayName,
): unknown {
	assertSomething(value, label);
	const { minValue: min, maxValue: max, loadOptionsMethod } = field.typeOptions ?? {};
	switch (field.type) {
		case 'boolean':
			return readBoolean(value, label);
		case 'options':
			return loadOptionsMethod === undefined
				? readOption(value, label, menuValues(field))
				: readText(value, label);
		case 'multiOptions':
			return readOptions(value, label, menuValues(field));
		case 'number':
			return readInteger(value, label, { min, max });
		case 'resourceLocator':
			return readText(locatedId(value), label).trim();
		case 'string':
			return readText(value, label);
		case 'json':
			return readJson(value, label);
		default:
			return value;
	}
}

/** What a resource locator, or a plain value in its place, names. */
export function locatedId(value: unknown): unknown {
	return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}

function menuValues({ options = [] }: INodeProperties): string[] {
	return options.flatMap((entry) => ('value' in entry ? [String(entry.value)] : []));
}

/** JSON from its text, or what an expression has made of it already: an object or an array. */
function readJson(value: unknown, label: string): object {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (typeof parsed === 'object' && parsed !== null) return parsed;
	throw Failure.ofField(
		label,
		'is not a JSON object or array',
		'Check the brackets, quotes and commas. In expression mode, return an object or an array.',
	);
}

/** @throws Failure for an entry with another name: a typing error would drop its value silently */
export function assertKnownNames(
	entries: readonly object[],
	known: readonly string[],
	label: string,
): void {
	entries.forEach((entry, index) => {
		const unknown = Object.keys(entry).find((name) => !known.includes(name));
		if (unknown === undefined) return;
		throw Failure.ofField(
			label,
			`has an unknown field "${shown(unknown).slice(0, 18)}" (entry ${index + 1})`,
			`The fields of an entry are ${known.join(', ')}. Rename or remove the others.`,
		);
	});
}

/** The entries of a fixed collection, as the form holds them or as an array from an expression. */
export function entriesOf(value: unknown, group: string, label: string): object[] {
	const isForm = isObject(value) && (group in value || Object.keys(value).length === 0);
	const list: unknown = isForm ? (value[group] ?? []) : value;
	const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null;
	if (Array.isArray(list) && list.every(isEntry)) return list as object[];
	throw Failure.ofField(label, 'must be a list of entries', 'Use an array of objects.');
}
