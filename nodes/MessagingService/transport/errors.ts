import { DateTime } from 'luxon';
import { Failure, type Sent } from '../failure';
import { parseJson } from '../json';
import { shorten, inOneLine, looksLikeHtml, looksLikeMarkup } from '../texts';
import { connectionProblem } from './connectionProblems';
import {
	mayBeRepeated,
	type PostRequest,
	type ServiceRequest,
	type ServiceResponse,
} from './request';
import { MAX_QUOTED_CHARACTERS, reasonOf, type Wording } from './serviceReason';

const MAX_PATH_CHARACTERS = 200;

/** The part of a request that may be shown to users: no query, no headers, no secrets. */
function lineOf({ method, path }: ServiceRequest): string {
	return `${method} ${shorten(path, MAX_PATH_CHARACTERS)}`;
}

/** Of a request after which nothing has to be checked in the service. */
export const NOT_ACCEPTED = 'This request was not accepted.';

/** What is known of a request that failed, as a sentence after a space; nothing if it may be repeated. */
function outcomeText(request: ServiceRequest, sent: Sent): string {
	if (mayBeRepeated(request)) return '';
	if (sent === 'no') return ` ${NOT_ACCEPTED}`;
	// The service does not tell which URL it has.
	return (request as Partial<PostRequest>).reaches?.kind === 'events'
		? ' The request may have been accepted: run the workflow again to be sure.'
		: ' The request may have been accepted: check in the service before sending it again, e.g. with Get Many.';
}

/** The failure of a request that got no response. */
export function describeConnectionFailure(
	request: ServiceRequest,
	host: string,
	error: unknown,
): Failure {
	const { title, advice, code, isNotSent, isTemporary } = connectionProblem(host, error);
	const sent = mayBeRepeated(request) || isNotSent ? 'no' : 'possibly';
	// The code goes into the description: n8n replaces messages that contain one.
	const suffix = ` (${[lineOf(request), code].filter(Boolean).join(', ')})`;
	return new Failure(title, `${advice}${outcomeText(request, sent)}${suffix}`.trim(), {
		sent,
		retry: isTemporary ? {} : undefined,
	});
}

/** What happened, and what to do. */
type Explanation = readonly [message: string, advice: string];

const CHECK_ENTRIES = 'Check what you have entered.';
const FIX_CLIENT =
	'In the credential, check Client ID and, under Service Conventions, Send Client ID In.';

const BY_STATUS: Readonly<Record<number, Explanation>> = {
	400: ['The service rejected the request as invalid', CHECK_ENTRIES],
	401: [
		'The service did not accept the authentication',
		'Check the kind of authentication and its secret in the credential.',
	],
	402: ['The service asks for payment', 'Ask the operator whether the account has credit.'],
	403: [
		'The service does not allow this request',
		'Ask the service operator whether your account may use this operation, or select another credential.',
	],
	404: [
		'The service found nothing at this address',
		'Check the ID, if this node has one, and the Base URL in the credential.',
	],
	407: [
		'The proxy between n8n and the service asks for a login',
		'In the environment of n8n, set HTTPS_PROXY to http://user:password@host:port.',
	],
	408: ['The service waited too long for the request', 'If this happens often, ask the operator.'],
	413: [
		'The request is too large for the service',
		'Shorten the texts in it. For a campaign, set how many people one has at most, under Options.',
	],
	429: ['The service is receiving too many requests', 'Wait a moment, then try again.'],
};
const REJECTED: Explanation = ['The service rejected the request', CHECK_ENTRIES];
const FAILED: Explanation = [
	'The service failed to process the request',
	'The service has a problem: ask the operator if it stays so.',
];

/** Statuses after which another try can succeed. */
const TEMPORARY = [408, 429, 500, 502, 503, 504];

/**
 * Whether a request may have been accepted although the status is none of a success. Of a 503 with
 * `Retry-After` it is known that it was not. A redirect may point to the result of what was accepted
 * (301, 302 and 303 after a POST often do), unless it asks for the same request elsewhere (307, 308).
 */
function sentAfter(request: ServiceRequest, statusCode: number, afterMs: number | undefined) {
	const isPostponed = statusCode === 503 && afterMs !== undefined;
	const isMoved = statusCode === 307 || statusCode === 308;
	const isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== 408;
	const isKnown = isPostponed || isMoved || isRefused;
	return mayBeRepeated(request) || isKnown ? 'no' : 'possibly';
}

/** A response with a status that is not a success. */
export function describeStatus(
	request: ServiceRequest,
	response: ServiceResponse,
	wording: Wording,
): Failure {
	const { statusCode, headers } = response;
	const afterMs = retryAfterMs(headers['retry-after']);
	const sent = sentAfter(request, statusCode, afterMs);
	const [message, advice] = explanationOf(response, afterMs, wording);
	// The body of a redirect repeats its address.
	const body = isRedirect(statusCode) ? '' : response.body;
	const json = parseJson(body);
	const reason = reasonOf(json === undefined ? body : json, wording);
	const isAboutFields = statusCode === 400 || statusCode === 422;
	const title = isAboutFields ? reason.text : `${message}: ${reason.text}`;
	const isUnread = reason.text === '' && !looksLikeMarkup(body);
	const quoted = isUnread ? quotedBody(body, wording) : '';
	const status = `The service responded to ${lineOf(request)} with status ${statusCode}`;
	return new Failure(
		reason.text === '' ? message : title,
		`${status}${quoted && ` and ${quoted}`}. ${reason.isOfClient ? FIX_CLIENT : advice}${outcomeText(request, sent)}`,
		{
			httpCode: String(statusCode),
			field: reason.field,
			sent,
			retry: TEMPORARY.includes(statusCode) ? { afterMs } : undefined,
		},
	);
}

function isRedirect(statusCode: number): boolean {
	return statusCode >= 300 && statusCode < 400;
}

/** What a status means, and what to do. */
function explanationOf(
	{ statusCode, headers }: ServiceResponse,
	afterMs: number | undefined,
	{ clean }: Wording,
): Explanation {
	if (isRedirect(statusCode)) {
		return [
			'The service responded with a redirect, which n8n does not follow',
			`It points to ${redirectTarget(headers.location, clean)}. If this is the address of the service, set it as Base URL in the credential.`,
		];
	}
	const [message, advice] = BY_STATUS[statusCode] ?? (statusCode >= 500 ? FAILED : REJECTED);
	const seconds = Math.ceil((afterMs ?? 0) / 1000);
	const isPaused = [429, 503].includes(statusCode) && seconds > 0;
	return [
		message,
		isPaused ? `The service asked for a pause of ${seconds} s: try again after it.` : advice,
	];
}

/** Where a redirect points to, without its query: that may hold a secret. */
function redirectTarget(location: unknown, clean: Wording['clean']): string {
	if (typeof location !== 'string' || location === '') return 'an unnamed address';
	const address = location.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
	return shorten(clean(address), MAX_QUOTED_CHARACTERS);
}

/**
 * A success status whose body is not what the operation needs.
 * @param expected continues "The response is not ..."
 */
export function describeUnexpectedBody(
	request: ServiceRequest,
	{ statusCode, body }: ServiceResponse,
	expected: string,
	wording: Wording,
): Failure {
	const sent = mayBeRepeated(request) ? 'no' : 'possibly';
	const isHtml = looksLikeHtml(body);
	const received = isHtml
		? 'an HTML page, perhaps a login page'
		: `${quotedBody(body, wording) || 'an empty body'}, which is not ${expected}`;
	const advice = isHtml
		? 'Check the Base URL and the authentication in the credential.'
		: 'If this is not from your service, check the Base URL in the credential. Otherwise ask the operator what it means.';
	return new Failure(
		isHtml
			? 'The response is a web page, not one of the messaging service'
			: `The response of the service is not ${expected}`,
		`The service responded to ${lineOf(request)} with status ${statusCode} and ${received}. ${advice}${outcomeText(request, sent)}`,
		{ httpCode: String(statusCode), sent },
	);
}

/** The body of a response, short and in one line; nothing for an empty one. */
function quotedBody(body: string, { clean }: Wording): string {
	const quoted = shorten(inOneLine(clean(body)), MAX_QUOTED_CHARACTERS);
	return quoted === '' ? '' : `"${quoted}"`;
}

/**
 * The wait that a `Retry-After` header asks for: seconds, or an HTTP date.
 * @returns undefined where there is no such header, or one that says nothing
 */
export function retryAfterMs(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	const date = DateTime.fromHTTP(header);
	return date.isValid ? Math.max(0, date.toMillis() - Date.now()) : undefined;
}
