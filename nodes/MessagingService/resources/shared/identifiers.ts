import type { ExpectedResponse } from '../../transport/request';
import { looksLikeHtml } from '../../transport/texts';

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
