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
export function describeExpected({ method, expected }: ServiceRequest, kind: ExpectedBody): string {
	if (expected !== undefined) return expected.description;
	return kind === 'record' && method !== 'GET' ? 'a record with an ID' : EXPECTED[kind];
}

/** Names under which a created record carries its identifier; not `cli_Id` or `clientId`. */
const IDENTIFIER_NAME = /^(new_?|(voice_?)?campaign_?|storage_?)?id$/i;

/**
 * Reads the body of a successful response.
 * @returns its value, or what it is instead of what was expected (undefined where it is no JSON)
 */
export function readResponse(
	request: ServiceRequest,
	raw: string,
	kind: ExpectedBody,
): { value: unknown } | { unexpected: unknown } {
	const isEmpty = raw.trim() === '';
	const body = isEmpty ? undefined : parseJson(raw);
	const isReadable = isEmpty || body !== undefined;
	const isExpected = request.expected?.matches(body) ?? true;
	if (!isReadable || !isExpected || !isOfKind(request, body, kind)) return { unexpected: body };
	// The service may have null for an empty list.
	return { value: kind === 'page' && isObject(body) ? { ...body, items: body.items ?? [] } : body };
}

function isOfKind({ method }: ServiceRequest, body: unknown, kind: ExpectedBody): boolean {
	switch (kind) {
		case 'record':
			if (!isObject(body) || Object.keys(body).length === 0 || reportsErrors(body)) return false;
			// Without its identifier, nobody could tell whether anything was created.
			return method === 'GET' || identifierOf(body) !== undefined;
		case 'page':
			return isObject(body) && 'items' in body && isListOfRecords(body.items ?? []);
		case 'array':
			return isListOfRecords(body);
		case 'id':
			return isIdentifier(body);
		case 'anything':
			return !reportsErrors(body);
	}
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfRecords(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.every(isObject);
}

function isIdentifier(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

/** The fields of a created record that identify it. */
export function identifiersOf(record: IDataObject): Record<string, string | number> {
	const found = Object.entries(record).filter(
		(entry): entry is [string, string | number] =>
			IDENTIFIER_NAME.test(entry[0]) && isIdentifier(entry[1]),
	);
	return Object.fromEntries(found);
}

/** The identifier that a response is or holds, preferably under the name `id`. */
export function identifierOf(body: unknown): string | number | undefined {
	if (isIdentifier(body)) return body;
	const found = isObject(body) ? Object.entries(identifiersOf(body)) : [];
	return (found.find(([name]) => /^id$/i.test(name)) ?? found[0])?.[1];
}

/** Whether a body is about errors, and not a record that has some. */
function reportsErrors(body: unknown): boolean {
	if (!isObject(body) || identifierOf(body) !== undefined) return false;
	return Object.entries(body).some(([name, value]) => /^errors?$/i.test(name) && !isNothing(value));
}

/** Whether there are no errors: `null`, `false`, an empty text, list or object. */
function isNothing(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return !value;
	return Object.keys(value).length === 0;
}
