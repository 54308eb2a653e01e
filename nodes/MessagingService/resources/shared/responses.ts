import { omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../json';
import { receivedNumber } from '../../numbers/received';
import type { ExpectedResponse } from '../../transport/request';
import { isIdentifier } from '../../transport/responseShape';

/** Whether a text is a GUID, in upper or lower case. */
export const isGuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The response of a request that sends a message: its GUID (interface, "SMS messages"). */
export const messageGuid: ExpectedResponse = {
	description: 'a GUID',
	matches: (body) => typeof body === 'string' && isGuid(body) && isIdentifier(body),
};

/** The response of a request that creates an SMS campaign: its ID as a text. */
export const campaignIdentifier: ExpectedResponse = {
	description: 'a campaign ID',
	matches: isIdentifier,
};

/** Moves fields of a record to its end: what people look at last. */
export const moveToEnd =
	(...names: readonly string[]) =>
	(record: IDataObject): IDataObject => ({ ...omit(record, names), ...pick(record, names) });

/** A record whose phone number is in international form, where it can be read beyond doubt. */
export function withNumbers(record: IDataObject, country: string): IDataObject {
	const result = { ...record };
	for (const name of ['phoneNumber', 'number']) {
		if (name in record) result[name] = receivedNumber(record[name], country);
	}
	return result;
}

/**
 * The output for a response that the interface does not show: the object as received, any other JSON
 * as `response` beside `output`, and for an empty response (also `{}`) `output` and
 * `success`.
 */
export function undocumentedOutput(response: unknown, output: IDataObject): IDataObject {
	if (isObject(response) && Object.keys(response).length > 0) return response;
	if (isObject(response) || response === undefined || response === null || response === '') {
		return { ...output, success: true };
	}
	return { ...output, response: response as IDataObject[string] };
}
