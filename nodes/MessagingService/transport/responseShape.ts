import type { IDataObject } from 'n8n-workflow';
import { parseJson } from '../json';
import type { ServiceRequest } from './request';

/**
 * What the body of a successful response must be: `record`, `page`, `array` of records, `id` (a
 * JSON string or number), `anything` (also nothing: the interface does not show the response).
 */
export type ExpectedBody = 'record' | 'page' | 'array' | 'id' | 'anything';

const EXPECTED: Readonly<Record<ExpectedBody, string>> = {
	record: 'a record',
	page: 'a page of records with "items"',
	array: 'an array of records',
	id: 'an identifier',
	anything: 'valid JSON',
};

/** What is expected, continuing "The response is not ...". */
export function describeExpected({ method }: ServiceRequest, expect: ExpectedBody): string {
	return expect === 'record' && method !== 'GET' ? 'a record with an ID' : EXPECTED[expect];
}

/** Names under which a created record carries its identifier; not `cli_Id` or `clientId`. */
const IDENTIFIER_NAME = /^(new_?|(voice_?)?campaign_?|storage_?)?id$/i;

/**
 * Reads the body of a successful response.
 * @returns its value, or what it is instead of what was expected (undefined where it is no JSON)
 */
export function readResponse(
	{ method }: ServiceRequest,
	raw: string,
	expect: ExpectedBody,
): { value: unknown } | { unexpected: unknown } {
	const isEmpty = raw.trim() === '';
	const body = isEmpty ? undefined : parseJson(raw);
	switch (expect) {
		case 'record': {
			const isRecord = isObject(body) && Object.keys(body).length > 0 && !reportsErrors(body);
			// Without its identifier, nobody could tell whether anything was created.
			const isUsable = isRecord && (method === 'GET' || hasIdentifier(body));
			return isUsable ? { value: body } : { unexpected: body };
		}
		case 'page': {
			if (!isObject(body) || !isListOfRecords(body.items ?? [])) return { unexpected: body };
			return 'items' in body
				? { value: { ...body, items: body.items ?? [] } }
				: { unexpected: body };
		}
		case 'array':
			return isListOfRecords(body) ? { value: body } : { unexpected: body };
		case 'id':
			return isIdentifier(body) ? { value: body } : { unexpected: body };
		case 'anything':
			return (isEmpty || body !== undefined) && !reportsErrors(body)
				? { value: body }
				: { unexpected: body };
	}
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfRecords(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.every(isObject);
}

function isIdentifier(value: unknown): boolean {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

function hasIdentifier(record: IDataObject): boolean {
	return Object.entries(record).some(
		([name, value]) => IDENTIFIER_NAME.test(name) && isIdentifier(value),
	);
}

/** Whether a body is about errors, and not a record that has some. */
function reportsErrors(body: unknown): boolean {
	if (!isObject(body) || hasIdentifier(body)) return false;
	return Object.entries(body).some(([name, value]) => /^errors?$/i.test(name) && !isNothing(value));
}

/** Whether there are no errors: `null`, `false`, an empty text, list or object. */
function isNothing(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return !value;
	return Object.keys(value).length === 0;
}
