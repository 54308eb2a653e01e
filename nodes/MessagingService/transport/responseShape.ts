import { isEmpty, mapKeys, pick, some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isObject, objectsOf, parseJson } from '../json';
import { looksLikeMarkup } from '../texts';
import type { ExpectedResponse, Page } from './request';

/** One record. What tells of a failure and identifies nothing is none. */
export const RECORD: ExpectedResponse = {
	description: 'a record',
	matches: (body) =>
		isObject(body) && !isEmpty(body) && (!tellsFailure(body) || !isEmpty(identifiersOf(body))),
};

/** A page of a list in its envelope. The service may have null for a list that it counts as empty. */
export const PAGE: ExpectedResponse = {
	description: 'a page of records with "items"',
	matches: (body) =>
		isObject(body) &&
		(body.items === null ? toInteger(body.totalRecords) === 0 : RECORDS.matches(body.items)),
};

/** An array of records. */
export const RECORDS: ExpectedResponse = {
	description: 'an array of records',
	matches: (body) => Array.isArray(body) && body.every(isObject),
};

/** Any response to a POST but a web page, or one that tells of a failure; just `false` or "no" does. */
export const ACCEPTANCE: ExpectedResponse = {
	description: 'a success',
	matches: (body) => {
		if (isObject(body)) return !tellsFailure(body);
		if (typeof body !== 'string') return body !== false;
		return !looksLikeMarkup(body) && !deniesSuccess(body) && !complains(body);
	},
};

/**
 * Whether a response tells of a failure: `errors` in the shape of the interface (section "Errors"), or
 * fields as services often have them; where it is no record, also one with words that do. The message
 * of a campaign is for its people.
 */
function tellsFailure(body: IDataObject): boolean {
	const fields = mapKeys(body, (_, name) => name.toLowerCase());
	const confirmations = Object.values(pick(fields, ['success', 'issuccess', 'ok']));
	const errors = pick(fields, ['error', 'errors', 'errorcode', 'errormessage']);
	if (confirmations.some(deniesSuccess) || some(errors, saysSomething)) return true;
	const isRecord = 'sender' in fields || some(identifiersOf(body));
	if (isRecord || confirmations.includes(true)) return false;
	return some(pick(fields, ['status', 'message', 'result', 'title', 'detail']), complains);
}

const deniesSuccess = (value: unknown) => /^(?:false|no|0)$/i.test(String(value));

/** Whether there is anything but zeros and words for nothing in it. */
function saysSomething(value: unknown): boolean {
	if (typeof value === 'object') return some(value, saysSomething);
	return (
		Boolean(value) && !/^(?:0+|false|none|null|no[_ ]?errors?|ok|success)$/i.test(String(value))
	);
}

/** Reads an envelope. An integer may come as its digits; totals that its page contradicts say nothing. */
export function toPage(envelope: IDataObject): Page {
	const items = objectsOf(envelope.items);
	const totalPages = toInteger(envelope.totalPages);
	const totalRecords = toInteger(envelope.totalRecords);
	const isTooFew = totalRecords !== undefined && totalRecords < items.length;
	const hasNoPage = totalPages !== undefined && totalPages < 1 && items.length > 0;
	return {
		pageIndex: toInteger(envelope.pageIndex),
		totalPages: isTooFew || hasNoPage ? undefined : totalPages,
		totalRecords: isTooFew ? undefined : totalRecords,
		items,
	};
}

function toInteger(value: unknown): number | undefined {
	if (value === null || value === '') return undefined;
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : undefined;
}

/** Names under which a created record carries its identifier; not `cli_Id` or `clientId`. */
const IDENTIFIER_NAME = /^(new_?|(voice_?)?campaign_?|storage_?)?id$/i;

/** The JSON of a body, its text where it is no JSON, or `undefined` for an empty one. */
export function contentOf(body: string): unknown {
	const json = parseJson(body);
	return json === undefined && body.trim() !== '' ? body.trim() : json;
}

/** Words that confirm, or name what was asked for, and identify nothing. */
const WORDS = new Set(
	`ok okay yes no true false null undefined none success successful successfully succeeded created
	accepted queued sent saved stored updated scheduled started submitted received processed processing
	pending done complete completed campaign message sms voice`.split(/\s+/),
);

/** Words that are said of nothing that went well. */
const FAILURES =
	'err error errors exception exceptions fail failed failure failures invalid insufficient denied rejected refused unauthorized unauthorised forbidden';

/** Words that complain, also beside others: "ERROR:14", "NO_CREDIT". */
const COMPLAINTS = new Set(
	`${FAILURES} credit balance blocked suspended expired missing unknown`.split(' '),
);

const wordsIn = (text: string) =>
	(text.match(/[A-Z]?[a-z]+|[A-Z]+|[1-9]/g) ?? []).map((word) => word.toLowerCase());

/** What a text says of a failure: a blocked number can be stored, an expired link removed. */
const FAILED = [
	...FAILURES.split(' '),
	'bad request|unsuccessful|unable|can ?not|cant|couldnt|could not|(?:does not|doesnt) exist',
	'not (?:allowed|authori[sz]ed|permitted|found|valid|enough|saved|stored|updated|created|successful)',
].join('|');
const SAYS_FAILED = new RegExp(`\\b(?:${FAILED})\\b`);
const SAYS_NONE = new RegExp(
	[
		`\\b(?:no|not an|0|without|without any) (?:${FAILED})\\b`,
		`\\b(?:${FAILED})(?: (?:code|count|numbers?|contacts?|records?))? ?[:=] ?(?:\\[\\]|(?:0|none|null|false|ok)\\b(?! of))`,
	].join('|'),
	'g',
);

/** Whether a text says that something failed: "Internal Server Error" does, "Stored, no errors" does not. */
function complains(text: unknown): boolean {
	if (typeof text !== 'string') return false;
	const words = text
		.replace(/['’]/g, '')
		.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|[_-]/g, ' ')
		.toLowerCase();
	return SAYS_FAILED.test(words.replace(SAYS_NONE, ''));
}

/**
 * Whether a response can be an identifier, of which the interface shows no form: a word like "OK" or
 * "CampaignCreated", a code like "ERROR:14", a sentence, a web page or JSON that ends in the middle is
 * none, nor is a number below 1 or the nil GUID.
 */
export function isIdentifier(value: unknown): value is string | number {
	if (typeof value === 'number') return value > 0;
	if (typeof value !== 'string' || /[\s<{["]|^-\d+$/.test(value)) return false;
	const words = wordsIn(value);
	return !words.some((word) => COMPLAINTS.has(word)) && words.some((word) => !WORDS.has(word));
}

/** The fields of a created record that identify it; the ID of a stored number can be any text. */
export function identifiersOf(record: IDataObject): Record<string, string | number> {
	const found = Object.entries(record).filter(
		(entry): entry is [string, string | number] =>
			IDENTIFIER_NAME.test(entry[0]) && ['string', 'number'].includes(typeof entry[1]),
	);
	return Object.fromEntries(found);
}

/** The identifier that a response is or holds, preferably under the name `id`. */
export function identifierOf(body: unknown): string | number | undefined {
	if (typeof body === 'string' || typeof body === 'number') return body;
	const found = isObject(body) ? Object.entries(identifiersOf(body)) : [];
	return (found.find(([name]) => /^id$/i.test(name)) ?? found[0])?.[1];
}
