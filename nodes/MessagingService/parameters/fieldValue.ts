import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { isObject, parseJson } from '../json';
import { InputError, shown } from './inputError';
import {
	assertSomething,
	isNothing,
	readBoolean,
	readInteger,
	readOption,
	readOptions,
	readText,
} from './values';

/** What cannot be read off n8n's own definition of a field is noted under this key. */
const INTEGER = Symbol('a field with an integer as its text');

interface IntegerId {
	[INTEGER]: true;
}
type Noted = INodeProperties & Partial<IntegerId>;

/**
 * Marks a text field or locator whose value is an integer in the request. IDs are such fields: the
 * editor marks a required text field that is empty, and shows 0 for a number.
 */
export function integerField<Field extends INodeProperties>(field: Field): Field & IntegerId {
	return { ...field, [INTEGER]: true };
}

/** The type that a field's value has in a request. */
export type FieldValue<Field extends { type: NodePropertyTypes }> = Field extends IntegerId
	? number
	: Field['type'] extends 'boolean'
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
 * @throws InputError when there is no value, or one of another type
 */
export function readFieldValue<Field extends INodeProperties>(
	field: Field,
	value: unknown,
	label: string = field.displayName,
): FieldValue<Field> {
	return valueOf(field, value, label) as FieldValue<Field>;
}

function valueOf(field: Noted, value: unknown, label: string): unknown {
	const { minValue: min, maxValue: max } = field.typeOptions ?? {};
	switch (field.type) {
		case 'boolean':
			return readBoolean(value, label);
		case 'options':
			return field.typeOptions?.loadOptionsMethod === undefined
				? readOption(value, label, menuValues(field))
				: readText(value, label);
		case 'multiOptions':
			return readOptions(value, label, menuValues(field));
		case 'number':
			return readInteger(value, label, { min, max });
		case 'resourceLocator':
			return readLocator(field, value, label);
		case 'string':
			return field[INTEGER] === true ? readInteger(value, label) : readText(value, label);
		case 'json':
			return readJson(value, label);
		default:
			assertSomething(value, label);
			return value;
	}
}

/**
 * The ID that a resource locator stands for. A workflow that was saved when the field was plain text
 * or a number, or that has an expression in its place, has the ID itself.
 */
function readLocator(field: Noted, value: unknown, label: string): string | number {
	const id = locatedId(value);
	if (isNothing(id)) {
		throw new InputError(label, 'is empty', 'Select one from the list, or enter its ID.');
	}
	return field[INTEGER] === true ? readInteger(id, label) : readText(id, label).trim();
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
	assertSomething(value, label);
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (typeof parsed === 'object' && parsed !== null) return parsed;
	throw new InputError(
		label,
		'is not a JSON object or array',
		'Check the brackets, quotes and commas. In expression mode, return an object or an array.',
	);
}

/** @throws InputError for an entry with another name: a typing error would drop its value silently */
export function assertKnownNames(
	entries: readonly object[],
	known: readonly string[],
	label: string,
): void {
	entries.forEach((entry, index) => {
		const unknown = Object.keys(entry).find((name) => !known.includes(name));
		if (unknown === undefined) return;
		throw new InputError(
			label,
			`has an unknown field "${shown(unknown).slice(0, 18)}" (entry ${index + 1})`,
			`The fields of an entry are ${known.join(', ')}. Rename or remove the others.`,
		);
	});
}

/** The entries of a fixed collection, as the form holds them or as an array from an expression. */
export function entriesOf(value: unknown, group: string, label: string): object[] {
	const list: unknown = isObject(value) ? (value[group] ?? []) : value;
	const entries: unknown[] | undefined = Array.isArray(list) ? list : undefined;
	if (entries?.every((entry) => typeof entry === 'object' && entry !== null) === true) {
		return entries as object[];
	}
	throw new InputError(label, 'is not a list of entries', 'Use an array of objects.');
}
