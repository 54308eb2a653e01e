import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Reason } from '../reason';
import { shorten } from './texts';

/** What went wrong, in the words the user reads: what happened, and what to do next. */
export interface Failure {
	/** At most 80 characters where we word it, 300 with the service's reason. */
	message: string;
	/** At most 1,000 characters. */
	description: string;
	/** HTTP status, where the service responded at all. */
	httpCode?: string;
	/** Display name of the n8n field that is wrong, where the service or we name one. */
	field?: string;
	/** Whether a sending request may have been accepted; `no` for a GET. */
	sent: 'no' | 'possibly';
	/** Why the request is not allowed; those with a place are about one of its recipients. */
	reasons?: readonly Reason[];
	/** Set where another try can succeed, with the wait that the service asked for. */
	retry?: { afterMs?: number | undefined };
}

/** What is wrong, where it is not the failure of one request: a title, and what to do about it. */
export class Problem extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.name = 'Problem';
		this.description = description;
	}
}

/** How one try of a request ended. */
export type TryResult = { value: unknown } | { failure: Failure };

/** Names of the n8n fields by the service's names in lower case, e.g. `webhookurl` -> `URL`. */
export type FieldLabels = Readonly<Record<string, string>>;

/** The part of a request that may be shown to users: no query, no headers, no secrets. */
export interface RequestLine {
	method: string;
	path: string;
}

const MAX_MESSAGE_CHARACTERS = 300;
const MAX_DESCRIPTION_CHARACTERS = 1000;
const MAX_PATH_CHARACTERS = 200;

/** The failures behind the errors. Not in the errors themselves: n8n stores what those hold. */
const failures = new WeakMap<object, Failure>();

/** The failure behind an error that `toNodeApiError` made. */
export function failureOf(error: unknown): Failure | undefined {
	return typeof error === 'object' && error !== null ? failures.get(error) : undefined;
}

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
 * The error that n8n shows. It is made from plain text only: the HTTP library's own error carries
 * the request with its headers, and n8n would store those with the execution.
 * @param clean removes secrets from a text
 */
export function toNodeApiError(
	node: INode,
	failure: Failure,
	clean: (text: string) => string = (text) => text,
) {
	const message = shorten(clean(failure.message), MAX_MESSAGE_CHARACTERS);
	const description = shorten(clean(failure.description), MAX_DESCRIPTION_CHARACTERS);
	const { httpCode } = failure;
	const shown = { message, description, ...(httpCode === undefined ? {} : { httpCode }) };
	const error = new NodeApiError(node, { ...shown } as JsonObject, { ...shown });
	// n8n replaces a message that contains an error code, be it as part of a word ("preexisting").
	error.message = message;
	failures.set(error, { ...failure, message, description });
	return error;
}
