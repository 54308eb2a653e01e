import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { storedNumberLocator } from '../shared/locators';
import { undocumentedOutput } from '../shared/responses';

const payloadField = {
	displayName: 'Payload (JSON)',
	name: 'payloadJson',
	type: 'json',
	default: '',
	description: 'Body of the request, sent as it is. Leave empty to send none.',
} satisfies INodeProperties;

/** `POST /api/PhoneNumberStorageItem/:storageId`; payload, purpose and response are not shown. */
export const postById = defineOperation({
	value: 'postById',
	name: 'Call Undocumented Endpoint',
	isHiddenFromAgents: true,
	action: 'Call undocumented endpoint of stored phone number',
	description:
		'Post to one stored phone number by its ID, with or without a payload. What it does is not documented: ask the service operator before using it.',
	fields: [storedNumberLocator, payloadField],
	reaches: 'unknown',
	request({ parameters }) {
		const body = parameters.optional(payloadField) as IDataObject | undefined;
		const storageID = parameters.locator(storedNumberLocator);
		return {
			method: 'POST',
			path: `/api/PhoneNumberStorageItem/${pathSegment(storageID)}`,
			reaches: { kind: 'unknown' },
			changes: storageID,
			body,
			output: { storageID },
		};
	},
	result: undocumentedOutput,
});
