import type { IDataObject } from 'n8n-workflow';
import { parseJson } from '../json';
import { reasonOf } from './complaints';
import type { Failure, FieldLabels } from './errors';
import { retryAfterMs } from './retry';
import { inOneLine, looksLikeHtml, looksLikeMarkup, shorten } from './texts';

/** The part of a request that may be shown to users: no query, no headers, no secrets. */
export interface RequestLine {
	method: string;
	path: string;
}

/** How texts of the service are shown. */
export interface Wording {
	labels: FieldLabels;
	/** Removes secrets from a text. */
	clean(text: string): string;
}

/** The parts of a response that a failure tells of. */
export interface FailedResponse {
	statusCode: number;
	headers: IDataObject;
	/** As text. */
	body: string;
}

const MAX_PATH_CHARACTERS = 200;
const MAX_QUOTED_CHARACTERS = 300;

/** What happened, and what to do. */
type Explanation = readonly [message: string, advice: string];

const FIX_FIELDS = 'Fix the fields of this node.';

const BY_STATUS: Readonly<Record<number, Explanation>> = {
	400: ['The service rejected the request as invalid', FIX_FIELDS],
	401: [
		'The service did not accept the authentication',
		'Check the kind of authentication and its secret in the credential.',
	],
	403: [
		'The service does not allow this request',
		'Ask the service operator whether your account may use this operation, or select another credential.',
	],
	404: [
		'The service found nothing under this ID or address',
		'Check the ID in this node and the Base URL in the credential.',
	],
	408: [
		'The service waited too long for the request',
		'If this happens often, send fewer items in one request.',
	],
	413: ['The request is too large for the service', 'Split the input into smaller parts.'],
	429: ['The service is receiving too many requests', 'Wait a moment, then try again.'],
};
const REJECTED: Explanation = ['The service rejected the request', FIX_FIELDS];
const FAILED: Explanation = [
	'The service failed to process the request',
	'The service has a problem: try again later.',
];

/** Redirects after which the same request, with its body, has to be made at the other address. */
const MOVED: readonly number[] = [307, 308];

/** The request, for descriptions. */
export function lineOf({ method, path }: RequestLine): string {
	return `${method} ${shorten(path, MAX_PATH_CHARACTERS)}`;
}

/** What is known of a request that failed, as a sentence after a space; nothing for a GET. */
export function outcomeText({ method }: RequestLine, sent: Failure['sent']): string {
	if (method === 'GET') return '';
	return sent === 'no'
		? ' This request was not accepted.'
		: ' The request may have been accepted: check in the service before sending it again, e.g. with Get Many.';
}

/**
 * Whether a request may have been accepted although the status is none of a success. Of a 503 with
 * `Retry-After` it is known that it was not. A redirect may point to the result of what was
 * accepted (301, 302 and 303 after a POST often do), unless it asks for the same request elsewhere.
 */
function sentAfter({ method }: RequestLine, { statusCode, headers }: FailedResponse) {
	if (method === 'GET') return 'no';
	const isPostponed = statusCode === 503 && retryAfterMs(headers['retry-after']) !== undefined;
	const isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== 408;
	return isPostponed || isRefused || MOVED.includes(statusCode) ? 'no' : 'possibly';
}

/** A response with a status that is not a success. */
export function describeStatus(
	request: RequestLine,
	response: FailedResponse,
	wording: Wording,
): Failure {
	const { statusCode, body } = response;
	const sent = sentAfter(request, response);
	const base = { httpCode: String(statusCode), sent } as const;
	const status = `The service responded to ${lineOf(request)} with status ${statusCode}`;
	if (statusCode >= 300 && statusCode < 400) {
		return {
			...base,
			message: 'The service responded with a redirect, which n8n does not follow',
			description: `${status}. It points to ${addressOf(response, wording)}. If this is the address of the service, set it as Base URL in the credential.${outcomeText(request, sent)}`,
		};
	}
	const [message, advice] = BY_STATUS[statusCode] ?? (statusCode >= 500 ? FAILED : REJECTED);
	const todo = `${adviceOnPause(response) ?? advice}${outcomeText(request, sent)}`;
	const json = parseJson(body);
	const reason = reasonOf(json === undefined ? body : json, wording.labels, wording.clean);
	if (reason.text === '') {
		const received = looksLikeMarkup(body) ? '' : quotedBody(body, wording);
		const shown = received === '' ? status : `${status} and ${received}`;
		return { ...base, message, description: `${shown}. ${todo}` };
	}
	const isAboutFields = statusCode === 400 || statusCode === 422;
	return {
		...base,
		...(reason.field === undefined ? {} : { field: reason.field }),
		message: isAboutFields ? reason.text : `${message}: ${reason.text}`,
		description: `${status}. ${todo}`,
	};
}

/** What to do where the service wants a pause: it was longer than the request could wait. */
function adviceOnPause({ statusCode, headers }: FailedResponse): string | undefined {
	const pauseMs = retryAfterMs(headers['retry-after']) ?? 0;
	if (pauseMs === 0 || ![429, 503].includes(statusCode)) return undefined;
	return `The service asked for a pause of ${Math.ceil(pauseMs / 1000)} s: try again after it.`;
}

/** Where a redirect points to, without its query: that may hold a secret. */
function addressOf({ headers: { location } }: FailedResponse, { clean }: Wording): string {
	if (typeof location !== 'string' || location === '') return 'an unnamed address';
	const address = clean(location.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//'));
	return shorten(address, MAX_PATH_CHARACTERS);
}

/**
 * A success status whose body is not what the operation needs.
 * @param expected continues "The response is not ..."
 */
export function describeUnexpectedBody(
	request: RequestLine,
	{ statusCode, body }: FailedResponse,
	expected: string,
	wording: Wording,
): Failure {
	const sent = request.method === 'GET' ? 'no' : 'possibly';
	const line = `The service responded to ${lineOf(request)} with status ${statusCode}`;
	const base = { httpCode: String(statusCode), sent } as const;
	if (looksLikeHtml(body)) {
		return {
			...base,
			message: 'The response is a web page, not one of the messaging service',
			description: `${line} and an HTML page, perhaps a login page. Check the Base URL and the authentication in the credential.${outcomeText(request, sent)}`,
		};
	}
	return {
		...base,
		message: `The response of the service is not ${expected}`,
		description: `${line} and ${quotedBody(body, wording) || 'an empty body'}, which is not ${expected}. Check the Base URL in the credential.${outcomeText(request, sent)}`,
	};
}

/** The body of a response, short and in one line; nothing for an empty one. */
function quotedBody(body: string, { clean }: Wording): string {
	const quoted = shorten(inOneLine(clean(body)), MAX_QUOTED_CHARACTERS);
	return quoted === '' ? '' : `"${quoted}"`;
}
