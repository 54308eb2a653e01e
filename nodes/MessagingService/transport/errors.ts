import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { ANSWER_TOO_LARGE, MOST_ANSWER_BYTES } from './answerBody';
import { redact } from './secrets';

/** What went wrong, in the words the user reads: what happened, and what to do next. */
export interface Failure {
	message: string;
	description: string;
	/** HTTP status, where the service answered at all. */
	httpCode?: string;
	/** Nobody knows whether the service accepted a sending request. */
	isUncertain?: boolean;
}

/** The part of a request that may be shown to users: no query, no headers, no secrets. */
export interface RequestLine {
	method: string;
	path: string;
}

/** One complaint of the service about one field. */
export interface FieldComplaint {
	/** The field as the service names it; empty when the complaint is about the whole request. */
	field: string;
	message: string;
}

/** Names of the n8n fields by the service's names in lower case, e.g. `webhookurl` -> `URL`. */
export type FieldLabels = Readonly<Record<string, string>>;

const MAX_QUOTED_CHARACTERS = 300;

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messagesOf(value: unknown): string[] {
	const list = Array.isArray(value) ? value : [value];
	return list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
}

/**
 * Reads an error body in the shapes the interface documents (section "Errors"),
 * `{"errors":{"WebHookUrl":["..."]}}` and `{"pageSize":["..."]}`, and in the common shapes with a
 * `message`, `title`, `detail` or `error` text.
 */
export function readComplaints(body: unknown): FieldComplaint[] {
	if (typeof body === 'string') {
		const text = body.trim();
		return text === '' || looksLikeHtml(text) ? [] : [{ field: '', message: quote(text) }];
	}
	if (Array.isArray(body)) return body.flatMap(readComplaints);
	if (!isObject(body)) return [];

	const hasErrors = isObject(body.errors);
	const named = hasErrors ? (body.errors as IDataObject) : body;
	const byField = Object.entries(named)
		.filter(([, value]) => Array.isArray(value) || (hasErrors && typeof value === 'string'))
		.flatMap(([field, value]) => messagesOf(value).map((message) => ({ field, message })));
	const general = ['message', 'detail', 'title', 'error']
		.flatMap((key) => messagesOf(body[key]).slice(0, 1))
		.slice(0, byField.length > 0 ? 0 : 1)
		.map((message) => ({ field: '', message }));
	return [...byField, ...general];
}

/** Complaints as one readable text, with the n8n field's name where it is known. */
export function formatComplaints(
	complaints: readonly FieldComplaint[],
	labels: FieldLabels,
): string {
	return complaints
		.map(({ field, message }) => {
			const label = field === '' || field === 'errors' ? '' : (labelOf(field, labels) ?? field);
			return label === '' ? message : `${label}: ${message}`;
		})
		.join(' | ');
}

/** `contacts[2].phoneNumber` is looked up as a whole first, then by its last part. */
function labelOf(field: string, labels: FieldLabels): string | undefined {
	const name = field.toLowerCase();
	const lastPart = name
		.split(/[.[\]]+/)
		.filter(Boolean)
		.at(-1);
	// Own names only: "constructor" is no field of ours.
	const known = [name, lastPart].find((key) => key !== undefined && Object.hasOwn(labels, key));
	return known === undefined ? undefined : labels[known];
}

export function looksLikeHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body|\?xml)/i.test(text);
}

function quote(text: string): string {
	const flat = text.replace(/\s+/g, ' ').trim();
	return flat.length > MAX_QUOTED_CHARACTERS ? `${flat.slice(0, MAX_QUOTED_CHARACTERS)}...` : flat;
}

/**
 * What to say when a sending request ended without a readable answer: it must not be repeated
 * blindly.
 */
function unknownOutcome({ method }: RequestLine): string {
	return method === 'GET'
		? ''
		: ' The request may have been accepted: check in the service before sending it again, for example with the Get Many operation of this node.';
}

function uncertainty({ method }: RequestLine): Pick<Failure, 'isUncertain'> {
	return method === 'GET' ? {} : { isUncertain: true };
}

const STATUS_ADVICE: Readonly<Record<number, { message: string; advice: string }>> = {
	400: {
		message: 'The service rejected the request as invalid',
		advice: 'Correct the fields of this node and try again.',
	},
	401: {
		message: 'The service did not accept the authentication',
		advice: 'Check the kind of authentication and its secret in the credential.',
	},
	403: {
		message: 'The service does not allow this request',
		advice:
			'Ask the service operator whether your account may use this operation, or choose another credential.',
	},
	404: {
		message: 'The service found nothing under this ID or address',
		advice: 'Check the ID in this node and the Base URL in the credential.',
	},
	408: {
		message: 'The service waited too long for the request',
		advice: 'Try again, with fewer items at once if it happens often.',
	},
	413: {
		message: 'The request is too large for the service',
		advice: 'Split the input into smaller parts.',
	},
	429: {
		message: 'The service is receiving too many requests',
		advice: 'Nothing was accepted. Wait a moment, then run the remaining items again.',
	},
};

/** An answer with a status that is not a success. */
export function describeStatus(
	request: RequestLine,
	statusCode: number,
	body: unknown,
	labels: FieldLabels,
	location?: string,
): Failure {
	const line = `${request.method} ${request.path} was answered with status ${statusCode}.`;
	const httpCode = String(statusCode);
	if (statusCode >= 300 && statusCode < 400) {
		return {
			message: 'The service answered with a redirect, which is not followed',
			description: `${line} It points to ${location === undefined ? 'an unnamed address' : quote(location)}. If that is where the service is, set it as Base URL in the credential.`,
			httpCode,
		};
	}
	const known = STATUS_ADVICE[statusCode];
	const isServerFailure = statusCode >= 500;
	const message =
		known?.message ??
		(isServerFailure
			? 'The service failed to process the request'
			: 'The service rejected the request');
	const advice =
		known?.advice ??
		(isServerFailure
			? `The fault is on the side of the service: try again later.${unknownOutcome(request)}`
			: 'Correct the fields of this node and try again.');
	const complaints = formatComplaints(readComplaints(body), labels);
	const description = `${line} ${advice}`;
	// A gateway in front of the service answered: it does not know what the service did.
	const uncertain = statusCode === 502 || statusCode === 504 ? uncertainty(request) : {};
	return complaints === ''
		? { message, description, httpCode, ...uncertain }
		: {
				message:
					statusCode === 400 || statusCode === 422 ? complaints : `${message}: ${complaints}`,
				description,
				httpCode,
				...uncertain,
			};
}

/** A success status whose body is not what the operation needs. */
export function describeUnexpectedBody(
	request: RequestLine,
	statusCode: number,
	rawBody: string,
	expected: string,
): Failure {
	const line = `${request.method} ${request.path} was answered with status ${statusCode}`;
	const httpCode = String(statusCode);
	if (looksLikeHtml(rawBody)) {
		return {
			message: 'A web page answered instead of the messaging service',
			description: `${line} and an HTML page, perhaps a login page. Check the Base URL and the authentication in the credential.`,
			httpCode,
		};
	}
	const received = rawBody.trim() === '' ? 'an empty body' : `"${quote(rawBody)}"`;
	return {
		message: `The answer of the service could not be understood: expected ${expected}`,
		description: `${line} and ${received}. Check the Base URL in the credential.${unknownOutcome(request)}`,
		httpCode,
		...uncertainty(request),
	};
}

/** The code of an error that the credential throws when its fields make no authentication. */
export const CREDENTIAL_UNUSABLE = 'ERR_CREDENTIAL_UNUSABLE';

/** The code of an address that the settings of n8n forbid; n8n's own errors for that have none. */
export const ADDRESS_BLOCKED = 'ERR_ADDRESS_BLOCKED';

const TLS_CODES = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/;

/** A request that got no answer at all; `code` is Node's or axios' error code. */
export function describeConnectionFailure(
	request: RequestLine,
	host: string,
	code: string,
	detail: string,
): Failure {
	// The code goes into the description: n8n replaces messages that contain one.
	const suffix = ` (${[`${request.method} ${request.path}`, code].filter(Boolean).join(', ')})`;
	if (code === CREDENTIAL_UNUSABLE) {
		return { message: detail, description: 'Nothing was sent. Correct the credential.' };
	}
	if (code === ADDRESS_BLOCKED) {
		return {
			message: `This n8n may not call ${host}`,
			description: `Its settings block the address, so nothing was sent. Check the Base URL in the credential, or ask the administrator of n8n to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).${suffix}`,
		};
	}
	if (code === 'ECONNREFUSED') {
		return {
			message: `Nothing answers at ${host}`,
			description: `The connection was refused, so nothing was sent. Check the Base URL in the credential and whether the service is running.${suffix}`,
		};
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return {
			message: `The host ${host} is not known`,
			description: `Its name could not be looked up, so nothing was sent. Check the Base URL in the credential.${suffix}`,
		};
	}
	if (code === 'ERR_CANCELED') {
		return {
			message: 'The execution was cancelled while a request was under way',
			description: `Check in the service before sending it again.${suffix}`,
			...uncertainty(request),
		};
	}
	if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
		return {
			message: `No secure connection to ${host} could be made`,
			description: `Nothing was sent. Check whether the Base URL in the credential must start with http:// instead of https://, and whether its port is right.${suffix}`,
		};
	}
	if (TLS_CODES.test(code)) {
		return {
			message: `The certificate of ${host} could not be verified`,
			description: `Nothing was sent. Ask the operator for a valid certificate, or turn on "Ignore SSL Issues" in the credential for a service you trust.${suffix}`,
		};
	}
	if (code === ANSWER_TOO_LARGE) {
		return {
			message: `The answer of ${host} is too long`,
			description: `It has more than ${MOST_ANSWER_BYTES / 1024 / 1024} MB and was not read further. Check the Base URL in the credential; for a list, set a smaller Page Size.${unknownOutcome(request)}${suffix}`,
			...uncertainty(request),
		};
	}
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED' || code === 'ESOCKETTIMEDOUT') {
		return {
			message: `The service at ${host} did not answer in time`,
			description: `${unknownOutcome(request).trim() || 'Try again later.'}${suffix}`,
			...uncertainty(request),
		};
	}
	return {
		message: `The connection to ${host} broke before an answer arrived`,
		description: `${detail === '' ? '' : `${detail}.`}${unknownOutcome(request)}${suffix}`.trim(),
		...uncertainty(request),
	};
}

/**
 * Node's or axios' code of an error. n8n's own error around it has the other as its `cause`; in
 * n8n 1 that is lost, but the code is in `httpCode`.
 */
export function errorCode(error: unknown): string {
	for (const { code, name } of causesOf(error)) {
		if (typeof code === 'string') return code;
		if (/^SsrfBlocked/.test(String(name))) return ADDRESS_BLOCKED;
	}
	const httpCode = isErrorLike(error) ? error.httpCode : undefined;
	return typeof httpCode === 'string' && /^[A-Z][A-Z\d_]+$/.test(httpCode) ? httpCode : '';
}

/**
 * The text of the innermost cause of an error, e.g. "socket hang up". n8n's own texts around it
 * advise to try again, which is wrong for a request that may have been accepted. In n8n 1, which
 * loses the cause, its text is the first of `messages`.
 */
export function innermostMessage(error: unknown): string {
	const [outermost, ...causes] = causesOf(error);
	const { message, messages } = outermost ?? {};
	const original: unknown = Array.isArray(messages) ? messages[0] : undefined;
	const texts = [message, original, ...causes.map((cause) => cause.message)];
	const innermost = texts.filter((text) => typeof text === 'string').at(-1) ?? '';
	return innermost.replace(/\.+$/, '');
}

interface ErrorLike {
	code?: unknown;
	cause?: unknown;
	httpCode?: unknown;
	message?: unknown;
	messages?: unknown;
	name?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
	return typeof value === 'object' && value !== null;
}

/** An error, its cause, the cause of that, and so on; they may go round in circles. */
function causesOf(error: unknown): ErrorLike[] {
	const causes: ErrorLike[] = [];
	for (let current = error; isErrorLike(current) && causes.length < 5; current = current.cause) {
		causes.push(current);
	}
	return causes;
}

/** A failure in words that quote no secret. */
export function withoutSecrets(failure: Failure, secrets: readonly string[]): Failure {
	return {
		...failure,
		message: redact(failure.message, secrets),
		description: redact(failure.description, secrets),
	};
}

/** What an earlier try of this execution left open is not tried again. */
export function notSentAgain(failure: Failure): Failure {
	return {
		...failure,
		description: `${failure.description} This try did not send it again. To do so nevertheless, run the item in a new execution.`,
	};
}

/**
 * The error that n8n shows. It is made from plain text only: the HTTP library's own error carries
 * the request with its headers, and n8n would store those with the execution.
 */
export function toNodeApiError(node: INode, failure: Failure, secrets: readonly string[] = []) {
	const { message, description, httpCode } = withoutSecrets(failure, secrets);
	const clean = { message, description, ...(httpCode === undefined ? {} : { httpCode }) };
	const error = new NodeApiError(node, { ...clean } as JsonObject, { ...clean });
	// n8n replaces a message that contains an error code, be it as part of a word ("preexisting").
	error.message = message;
	return error;
}
