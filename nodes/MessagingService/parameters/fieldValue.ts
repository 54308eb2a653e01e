import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { Failure } from '../failure';
import { shown } from '../texts';
import { isObject, parseJson } from '../json';
import {
	assertSomething,
	readBoolean,
	readInteger,
	readOption,
	readOptions,
	readText,
} from './values';

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
	const list: unknown = isObject(value) ? (value[group] ?? []) : value;
	const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null;
	if (Array.isArray(list) && list.every(isEntry)) return list as object[];
	throw Failure.ofField(label, 'is not a list of entries', 'Use an array of objects.');
}
