import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { Failure, type Sent } from '../failure';
import { isObject, parseJson } from '../json';
import { shorten, inOneLine, looksLikeHtml, looksLikeMarkup } from '../texts';
import type { ServiceRequest, ServiceResponse } from './request';

const MAX_PATH_CHARACTERS = 200;

/** The part of a request that may be shown to users: no query, no headers, no secrets. */
function lineOf({ method, path }: ServiceRequest): string {
	return `${method} ${shorten(path, MAX_PATH_CHARACTERS)}`;
}

/** Of a request after which nothing has to be checked in the service. */
export const NOT_ACCEPTED = 'This request was not accepted.';

/** What is known of a request that failed, as a sentence after a space; nothing for a GET. */
function outcomeText({ method }: ServiceRequest, sent: Sent): string {
	if (method === 'GET') return '';
	return sent === 'no'
		? ` ${NOT_ACCEPTED}`
		: ' The request may have been accepted: check in the service before sending it again, e.g. with Get Many.';
}

/** The code of an address that the settings of n8n forbid; n8n's own errors for that have none. */
export const ADDRESS_BLOCKED = 'ERR_ADDRESS_BLOCKED';

/** Maximum size of one response, decompressed. A page of 10,000 records has about a tenth of it. */
export const MAX_RESPONSE_BYTES = 100 * 1024 * 1024;

/** The code of the error for a longer one. */
export const RESPONSE_TOO_LARGE = 'ERR_RESPONSE_TOO_LARGE';

/** A host has up to 253 characters, a title 80. */
export const MAX_HOST_CHARACTERS = 38;

/** What an error code of Node, axios or ours says about a request that got no response. */
interface ConnectionProblem {
	codes: RegExp;
	/** What is wrong; n8n replaces titles that contain an error code. */
	title: (host: string) => string;
	/** What to do; where there is none, the text of the error is shown instead. */
	advice?: string;
	/** It is certain that the service did not receive the request. */
	isNotSent?: boolean;
	/** Trying again can help. */
	isTemporary?: boolean;
}

/** The first match counts. */
const PROBLEMS: readonly ConnectionProblem[] = [
	{
		codes: new RegExp(`^${ADDRESS_BLOCKED}$`),
		title: (host) => `n8n is not allowed to call ${host}`,
		advice:
			'Check the Base URL in the credential, or ask the administrator of n8n to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).',
		isNotSent: true,
	},
	{
		codes: /^ECONNREFUSED$/,
		title: (host) => `Could not connect to ${host}`,
		advice:
			'Check the Base URL in the credential and whether the service is running. Where n8n has a proxy, check HTTPS_PROXY as well.',
		isNotSent: true,
		isTemporary: true,
	},
	{
		codes: /^(ENOTFOUND|EAI_AGAIN)$/,
		title: (host) => `The host ${host} was not found`,
		advice: 'Check the Base URL in the credential.',
		isNotSent: true,
		isTemporary: true,
	},
	{
		// The certificate is verified before the first byte of the request is written.
		codes: /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/,
		title: (host) => `The certificate of ${host} could not be verified`,
		advice:
			'Ask the operator for a valid certificate, or turn on "Ignore SSL Issues" in the credential for a service you trust.',
		isNotSent: true,
	},
	{
		// Also of a connection that a proxy breaks after the request was received.
		codes: /^(EPROTO$|ERR_SSL_|ERR_TLS_)/,
		title: (host) => `Could not make a secure connection to ${host}`,
		advice:
			'Check whether the Base URL in the credential must start with http:// instead of https://, and whether its port is right.',
	},
	{
		codes: /^ERR_CANCELED$/,
		title: () => 'The execution was canceled while a request was in progress',
		advice: '',
	},
	{
		codes: new RegExp(`^${RESPONSE_TOO_LARGE}$`),
		title: (host) => `The response of ${host} is too long`,
		advice: `n8n reads at most ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Check the Base URL in the credential.`,
	},
	{
		codes: /^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/,
		title: (host) => `The service at ${host} did not respond in time`,
		advice:
			'Try again later. If runs of the node end like this often, raise Timeout (Seconds) in the credential.',
		isTemporary: true,
	},
	{
		codes: /^/,
		title: (host) => `The connection to ${host} was interrupted`,
		isTemporary: true,
	},
];

/** What has ended a request, an error of n8n, axios or Node, or a cause of it: its code and its text. */
export function causeOf(error: unknown) {
	const chain: IDataObject[] = [];
	for (let each = error; isObject(each) && chain.length < 5; each = each.cause) chain.push(each);
	const codes = chain.map(({ code, name }) =>
		/^SsrfBlocked/.test(String(name)) ? ADDRESS_BLOCKED : code,
	);
	const isCode = (code: unknown) => typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code);
	const texts = chain.map(({ message }) => message).filter((each) => typeof each === 'string');
	return {
		code: String(codes.find(isCode) ?? ''),
		message: texts.at(-1)?.replace(/\.+$/, '') ?? '',
	};
}

/** What is known of a request that got no response at all; the text of its cause has no secrets. */
export function connectionProblem(host: string, { code, message }: ReturnType<typeof causeOf>) {
	const problem = PROBLEMS.find(({ codes }) => codes.test(code)) as ConnectionProblem;
	const { title, advice = message && `${message}.` } = problem;
	return {
		title: title(shorten(host, MAX_HOST_CHARACTERS)),
		advice,
		isNotSent: problem.isNotSent === true,
		isTemporary: problem.isTemporary === true,
	};
}

/** The failure of such a request. */
export function describeConnectionFailure(
	request: ServiceRequest,
	host: string,
	cause: ReturnType<typeof causeOf>,
): Failure {
	const { title, advice, isNotSent, isTemporary } = connectionProblem(host, cause);
	const sent = request.method === 'GET' || isNotSent ? 'no' : 'possibly';
	// The code goes into the description: n8n replaces messages that contain one.
	const suffix = ` (${[lineOf(request), cause.code].filter(Boolean).join(', ')})`;
	return new Failure(title, `${advice}${outcomeText(request, sent)}${suffix}`.trim(), {
		sent,
		retry: isTemporary ? {} : undefined,
	});
}

/** Names of the n8n fields by the service's names in lower case, e.g. `webhookurl` -> `URL`. */
export type FieldLabels = Readonly<Record<string, string>>;

/** How texts of the service are shown. */
export interface Wording {
	labels: FieldLabels;
	/** Removes secrets from a text; before it is cut, so that no part of one remains. */
	clean(text: string): string;
}

const MAX_QUOTED_CHARACTERS = 300;

/** What happened, and what to do. */
type Explanation = readonly [message: string, advice: string];

const FIX_FIELDS = 'Fix the fields of this node.';
const FIX_CLIENT =
	'In the credential, check Client ID and, under Service Conventions, Send Client ID In.';

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
		'Check the ID in this node, and the Base URL in the credential.',
	],
	407: [
		'The proxy between n8n and the service asks for a login',
		'In the environment of n8n, set HTTPS_PROXY to http://user:password@host:port.',
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
	'The service has a problem: ask the operator if it stays so.',
];

/** Statuses after which another try can succeed. */
const TEMPORARY = [408, 429, 500, 502, 503, 504];

/**
 * Whether a request may have been accepted although the status is none of a success. Of a 503 with
 * `Retry-After` it is known that it was not. A redirect may point to the result of what was accepted
 * (301, 302 and 303 after a POST often do), unless it asks for the same request elsewhere (307, 308).
 */
function sentAfter({ method }: ServiceRequest, statusCode: number, afterMs: number | undefined) {
	const isPostponed = statusCode === 503 && afterMs !== undefined;
	const isMoved = statusCode === 307 || statusCode === 308;
	const isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== 408;
	return method === 'GET' || isPostponed || isMoved || isRefused ? 'no' : 'possibly';
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
			`It points to ${addressOf(headers.location, clean)}. If this is the address of the service, set it as Base URL in the credential.`,
		];
	}
	const [message, advice] = BY_STATUS[statusCode] ?? (statusCode >= 500 ? FAILED : REJECTED);
	const isPaused = [429, 503].includes(statusCode) && (afterMs ?? 0) > 0;
	const seconds = Math.ceil((afterMs ?? 0) / 1000);
	return [
		message,
		isPaused ? `The service asked for a pause of ${seconds} s: try again after it.` : advice,
	];
}

/** Where a redirect points to, without its query: that may hold a secret. */
function addressOf(location: unknown, clean: Wording['clean']): string {
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
	const sent = request.method === 'GET' ? 'no' : 'possibly';
	const isHtml = looksLikeHtml(body);
	const received = isHtml
		? 'an HTML page, perhaps a login page'
		: `${quotedBody(body, wording) || 'an empty body'}, which is not ${expected}`;
	const advice = `Check the Base URL${isHtml ? ' and the authentication' : ''} in the credential.`;
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

/** A response with more complaints repeats itself. */
const MAX_COMPLAINTS = 100;

/** Where a text about the whole request stands; the first one counts. */
const GENERAL = ['message', 'detail', 'title', 'error_description', 'error'];

/**
 * The complaints in an error body, each with its field: in one of the two shapes of the interface
 * (section "Errors"), `{"errors":{"WebHookUrl":["..."]}}` and `{"pageSize":["..."]}`. A text about
 * the whole request has no field.
 */
function complaintsIn(body: unknown): [field: string, text: unknown][] {
	if (typeof body === 'string') return looksLikeMarkup(body) ? [] : [['', body]];
	if (Array.isArray(body)) return body.map((text) => ['', text]);
	if (!isObject(body)) return [];
	const listed = Object.entries(isObject(body.errors) ? body.errors : body).flatMap(
		([field, texts]) =>
			Array.isArray(texts) ? texts.map((text): [string, unknown] => [field, text]) : [],
	);
	if (listed.length > 0) return listed;
	const texts = new Map(Object.entries(body).map(([name, text]) => [name.toLowerCase(), text]));
	return [['', GENERAL.map((name) => texts.get(name)).find(hasText)]];
}

function hasText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/**
 * The service's reason for refusing a request: its complaints in one text of at most 300 characters,
 * empty where it gave none, with the display name of the first n8n field that it names, and whether
 * it is about the client ID.
 */
export function reasonOf(body: unknown, { labels, clean }: Wording) {
	const complaints = complaintsIn(body).slice(0, MAX_COMPLAINTS);
	const texts = complaints.flatMap(([field, message]) => {
		if (!hasText(message)) return [];
		// A place in a list, e.g. `contacts[2].phoneNumber`, is shown as the service writes it.
		const label = /[[./]\d/.test(field) ? undefined : labelOf(field, labels);
		const name = label ?? clean(field);
		const text = shorten(inOneLine(clean(message)), MAX_QUOTED_CHARACTERS);
		return name === '' ? text : `${name}: ${text}`;
	});
	const text = shorten(texts.join(' | '), MAX_QUOTED_CHARACTERS);
	const field = complaints.map(([name]) => labelOf(name, labels)).find(Boolean);
	return { text, field, isOfClient: complaints.some(([name]) => /client_?id$/i.test(name)) };
}

/** The n8n field behind the last name in a path. */
function labelOf(field: string, labels: FieldLabels): string | undefined {
	const names = field.toLowerCase().match(/[a-z_]\w*/g) ?? [];
	const name = names.at(-1) ?? '';
	// Own names only: "constructor" is no field of ours.
	return Object.hasOwn(labels, name) ? labels[name] : undefined;
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
