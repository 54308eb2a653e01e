import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../json';
import type { ServiceRequest } from './request';
import { looksLikeHtml } from './texts';

/**
 * What the body of a successful response to a GET must be: `record`, `page`, `array` of records,
 * `anything` (the interface does not show the response).
 */
export type ExpectedBody = 'record' | 'page' | 'array' | 'anything';

const EXPECTED: Readonly<Record<ExpectedBody, string>> = {
	record: 'a record',
	page: 'a page of records with "items"',
	array: 'an array of records',
	anything: 'a response of the messaging service',
};

/** Names under which a created record carries its identifier; not `cli_Id` or `clientId`. */
const IDENTIFIER_NAME = /^(new_?|(voice_?)?campaign_?|storage_?)?id$/i;

/**
 * Reads the body of a successful response. Success is what the status says: what the interface does
 * not show is passed on as it is, JSON or not. A web page is no response of this service.
 * @returns its value, or what it is (undefined where it is no JSON) instead of what was expected,
 * which continues "The response is not ..."
 */
export function readResponse(
	request: ServiceRequest,
	raw: string,
	kind: ExpectedBody,
): { value: unknown } | { unexpected: unknown; expected: string } {
	const isEmpty = raw.trim() === '';
	const body = isEmpty ? undefined : parseJson(raw);
	if (kind === 'anything' && !looksLikeHtml(raw)) {
		return { value: isEmpty || body !== undefined ? body : raw };
	}
	const { expected } = request;
	if (!isOfKind(body, kind)) return { unexpected: body, expected: EXPECTED[kind] };
	if (expected?.matches(body) === false) {
		return { unexpected: body, expected: expected.description };
	}
	// The service may have null for an empty list.
	return { value: kind === 'page' && isObject(body) ? { ...body, items: body.items ?? [] } : body };
}

function isOfKind(body: unknown, kind: ExpectedBody): boolean {
	switch (kind) {
		case 'record':
			return isObject(body) && Object.keys(body).length > 0;
		case 'page':
			return isObject(body) && 'items' in body && isListOfRecords(body.items ?? []);
		case 'array':
			return isListOfRecords(body);
		case 'anything':
			return false;
	}
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
