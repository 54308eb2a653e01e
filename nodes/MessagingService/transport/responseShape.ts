import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../json';
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

/** Names under which a created record carries its identifier; not `cli_Id` or `clientId`. */
const IDENTIFIER_NAME = /^(new_?|(voice_?)?campaign_?|storage_?)?id$/i;

/**
 * Reads the body of a successful response.
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
	const isReadable = isEmpty || body !== undefined;
	const { method, expected } = request;
	if (!isReadable || !isOfKind(request, body, kind)) {
		const isCreated = kind === 'record' && method !== 'GET';
		return { unexpected: body, expected: isCreated ? 'a record with an ID' : EXPECTED[kind] };
	}
	if (expected?.matches(body) === false) {
		return { unexpected: body, expected: expected.description };
	}
	// The service may have null for an empty list.
	return { value: kind === 'page' && isObject(body) ? { ...body, items: body.items ?? [] } : body };
}

function isOfKind({ method }: ServiceRequest, body: unknown, kind: ExpectedBody): boolean {
	switch (kind) {
		case 'record':
			if (!isObject(body) || Object.keys(body).length === 0 || reportsError(body)) return false;
			// Without its identifier, nobody could tell whether anything was created.
			return method === 'GET' || identifierOf(body) !== undefined;
		case 'page':
			return isObject(body) && 'items' in body && isListOfRecords(body.items ?? []);
		case 'array':
			return isListOfRecords(body);
		case 'id':
			return isIdentifier(body);
		case 'anything':
			return !reportsError(body);
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

/** Under these names, a body says whether the request succeeded, or how it went. */
const OUTCOME_NAME = /^(success|succeeded|is_?success|ok|status|status_?code|code|result)$/i;

/** Names of a body that holds nothing but a text for people. */
const TEXT_NAME =
	/^(message|msg|detail|details|title|description|error_?code|type|instance|trace_?id|request_?id|timestamp)$/i;

const FAILED_TEXT =
	/^\W*(error|err|failed|failure|fail|exception|invalid|rejected|denied|forbidden|unauthori[sz]ed)\b/i;

const SUCCEEDED_TEXT =
	/^(ok|true|success(ful(ly)?)?|succeeded|accepted|created|deleted|done|queued|removed|saved|sent|updated)$/i;

/** Whether a body with a success status tells of an error, and is not a record that has some. */
export function reportsError(body: unknown): boolean {
	if (typeof body === 'string') return FAILED_TEXT.test(body);
	if (!isObject(body)) return false;
	const members = Object.entries(body);
	if (members.some(([name, value]) => OUTCOME_NAME.test(name) && value === false)) return true;
	if (identifierOf(body) !== undefined) return false;
	const outcomes = members.filter(([name]) => OUTCOME_NAME.test(name)).map(([, value]) => value);
	return (
		members.some(([name, value]) => /^errors?$/i.test(name) && !isNothing(value)) ||
		outcomes.some(isFailure) ||
		(isOnlyText(members.map(([name]) => name)) && !outcomes.some(isSuccess))
	);
}

function isFailure(outcome: unknown): boolean {
	if (typeof outcome === 'number') return outcome >= 400 && outcome < 600;
	return typeof outcome === 'string' && (outcome === 'false' || FAILED_TEXT.test(outcome));
}

function isSuccess(outcome: unknown): boolean {
	if (typeof outcome === 'number') return outcome >= 200 && outcome < 300;
	return outcome === true || (typeof outcome === 'string' && SUCCEEDED_TEXT.test(outcome));
}

/** Whether a body of these names is a text for people and no record. */
function isOnlyText(names: readonly string[]): boolean {
	const isText = (name: string) => TEXT_NAME.test(name);
	return names.some(isText) && names.every((name) => isText(name) || OUTCOME_NAME.test(name));
}

/** Whether there are no errors: `null`, `false`, an empty text, list or object. */
function isNothing(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return !value;
	return Object.keys(value).length === 0;
}
