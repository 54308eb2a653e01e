import type { Sent } from '../failure';
import { shorten } from '../texts';
import type { ServiceRequest } from './request';

/** Names of the n8n fields by the service's names in lower case, e.g. `webhookurl` -> `URL`. */
export type FieldLabels = Readonly<Record<string, string>>;

const MAX_PATH_CHARACTERS = 200;

/** The part of a request that may be shown to users: no query, no headers, no secrets. */
export function lineOf({ method, path }: ServiceRequest): string {
	return `${method} ${shorten(path, MAX_PATH_CHARACTERS)}`;
}

/** What is known of a request that failed, as a sentence after a space; nothing for a GET. */
export function outcomeText({ method }: ServiceRequest, sent: Sent): string {
	if (method === 'GET') return '';
	return sent === 'no'
		? ' This request was not accepted.'
		: ' The request may have been accepted: check in the service before sending it again, e.g. with Get Many.';
}
