import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../json';
import type { ServiceRequest } from './request';

/**
 * What the body of a successful response must be: `record`, `page`, `array` of records, `anything`
 * (the interface does not show the response).
 */
export type ExpectedBody = 'record' | 'page' | 'array' | 'anything';

type KnownShape = Exclude<ExpectedBody, 'anything'>;

const EXPECTED: Readonly<Record<KnownShape, string>> = {
	record: 'a record',
	page: 'a page of records with "items"',
	array: 'an array of records',
};

/** Names under which a created record carries its identifier; not `cli_Id` or `clientId`. */
const IDENTIFIER_NAME = /^(new_?|(voice_?)?campaign_?|storage_?)?id$/i;

/**
 * Reads the body of a successful response: its JSON, its text where it is no JSON, or `undefined`
 * for an empty one.
 * @returns its value, or what was expected instead, which continues "The response is not ..."
 */
export function readResponse(
	{ expected }: Pick<ServiceRequest, 'expected'>,
	raw: string,
	kind: ExpectedBody,
): { value: unknown } | { expected: string } {
	const json = parseJson(raw);
	const body = json === undefined && raw.trim() !== '' ? raw : json;
	if (kind !== 'anything' && !isOfKind(body, kind)) return { expected: EXPECTED[kind] };
	if (expected?.matches(body) === false) return { expected: expected.description };
	// The service may have null for an empty list.
	return { value: kind === 'page' && isObject(body) ? { ...body, items: body.items ?? [] } : body };
}

function isOfKind(body: unknown, kind: KnownShape): boolean {
	switch (kind) {
		case 'record':
			return isObject(body) && Object.keys(body).length > 0;
		case 'page':
			return isObject(body) && 'items' in body && isListOfRecords(body.items ?? []);
		case 'array':
			return isListOfRecords(body);
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
