import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

/** Nobody nests a record so deep, and n8n's own recursive functions would exhaust the stack on it. */
const DEEPEST = 100;

/** `JSON.parse` as newer engines have it: the reviver is told the text of a number. */
type ParseWithSource = (
	text: string,
	reviver: (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown,
) => unknown;

/** Whether a value is a JSON object: no list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where the value is no list. */
export function objectsOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The fields of an object that have a value. */
export function present(fields: IDataObject): IDataObject {
	return omitBy(fields, isUndefined);
}

/** What a JSON value may have that no ordinary record has. */
interface JsonTraits {
	/** It is nested deeper than any real one, which n8n could not keep or show. */
	isDeep: boolean;
	/** It has an integer beyond 2^53, which may be a rounded one. */
	isRounded: boolean;
}

/** Looks through a JSON value, a page of many thousands of records for example, once. */
export function traitsOf(value: unknown): JsonTraits {
	const traits = { isDeep: false, isRounded: false };
	inspect(value, 0, traits);
	return traits;
}

function inspect(value: unknown, depth: number, traits: JsonTraits) {
	if (typeof value === 'number') {
		// Of some hundred digits, JSON.parse makes Infinity.
		traits.isRounded ||=
			!Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value));
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	if (depth > DEEPEST) {
		traits.isDeep = true;
		return;
	}
	for (const inner of Object.values(value)) {
		// Most are texts: a call for each would take as long as all the rest.
		if (typeof inner !== 'string') inspect(inner, depth + 1, traits);
	}
}

/**
 * Parses JSON; undefined when it is none, or nested deeper than any real record. An integer beyond
 * 2^53 becomes its digits as text: as a number it would be rounded to another ID.
 */
export function parseJson(text: string): unknown {
	const json = text.replace(/^\uFEFF/, '');
	const parsed = jsonParse<unknown>(json, { fallbackValue: () => undefined });
	const { isDeep, isRounded } = traitsOf(parsed);
	if (isDeep) return undefined;
	if (!isRounded) return parsed;
	return (JSON.parse as ParseWithSource)(json, (_key, value, context) =>
		typeof value === 'number' &&
		!Number.isSafeInteger(value) &&
		/^-?\d+$/.test(context?.source ?? '')
			? context?.source
			: value,
	);
}
