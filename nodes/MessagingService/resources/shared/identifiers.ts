import type { IDataObject } from 'n8n-workflow';
import type { ExpectedResponse } from '../../transport/request';
import { looksLikeHtml } from '../../transport/texts';
import { shown } from '../../parameters/inputError';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a GUID, in upper or lower case. */
export function isGuid(text: string): boolean {
	return GUID.test(text);
}

/** The response of a request that sends a message: its GUID (interface, "SMS messages"). */
export const messageGuid: ExpectedResponse = {
	description: 'a GUID',
	matches: (body) => typeof body === 'string' && isGuid(body.trim()),
};

/**
 * The response of a request that creates an SMS campaign: its ID as a text, of which the interface
 * shows no form. A web page is none.
 */
export const campaignIdentifier: ExpectedResponse = {
	description: 'a campaign ID',
	matches: (body) =>
		typeof body === 'number' ||
		(typeof body === 'string' && body.trim() !== '' && !looksLikeHtml(body)),
};

/**
 * The response of a request for one record: the record with this ID, under one of these names. One
 * that has none of the names is taken as it is.
 */
export function recordWithId(id: string, ...names: readonly string[]): ExpectedResponse {
	return {
		description: `record "${shown(id)}"`,
		matches: (body) => {
			const record = (body ?? {}) as IDataObject;
			const ids = names.map((name) => record[name]).filter((value) => value !== undefined);
			return ids.length === 0 || ids.some((value) => comparable(value) === comparable(id));
		},
	};
}

/** Case means nothing in a GUID, and leading zeros nothing in an integer. */
function comparable(id: unknown): string {
	return String(id)
		.trim()
		.toLowerCase()
		.replace(/^0+(?=\d+$)/, '');
}
