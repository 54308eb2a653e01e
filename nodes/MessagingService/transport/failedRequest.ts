import type { Sent } from '../failure';
import { shorten } from '../texts';
import type { ServiceRequest } from './request';

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
