import { jsonParse } from 'n8n-workflow';

/** Nobody nests a record so deep, and n8n's own recursive functions would exhaust the stack on it. */
const DEEPEST = 100;

/** An integer of so many digits that a number may not hold it exactly. */
const LONG_INTEGER = /[[:,\s]-?\d{16,}\s*[,}\]]|^\s*-?\d{16,}\s*$/;

/** `JSON.parse` as newer engines have it: the reviver is told the text of a number. */
type ParseWithSource = (
	text: string,
	reviver: (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown,
) => unknown;

/** Whether a JSON text has an integer that a number may not hold exactly. */
export function hasLongInteger(text: string): boolean {
	return LONG_INTEGER.test(text);
}

/**
 * Parses JSON; undefined when it is none. An integer beyond 2^53 becomes its digits as text: as a
 * number it would be rounded to another ID.
 */
export function parseJson(text: string): unknown {
	const parsed = jsonParse<unknown>(text.replace(/^\uFEFF/, ''), {
		fallbackValue: () => undefined,
	});
	if (parsed === undefined || !hasLongInteger(text) || isNestedDeeply(parsed)) return parsed;
	return (JSON.parse as ParseWithSource)(text.replace(/^\uFEFF/, ''), (_key, value, context) =>
		typeof value === 'number' &&
		!Number.isSafeInteger(value) &&
		/^-?\d+$/.test(context?.source ?? '')
			? context?.source
			: value,
	);
}

/** Whether a JSON value is nested deeper than any real one, which n8n could not keep or show. */
export function isNestedDeeply(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (depth > DEEPEST) return true;
	// No call for each text: a page has a hundred thousand.
	return Object.values(value).some(
		(inner) => typeof inner === 'object' && isNestedDeeply(inner, depth + 1),
	);
}
