import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../json';
import type { ExpectedResponse, PostRequest } from '../../transport/request';
import { identifierOf } from '../../transport/responseShape';
import type { OperationCall } from '../operation';

/** What the response of both create operations must be; otherwise it is not certain that a campaign exists. */
export const campaignWithId: ExpectedResponse = {
	description: 'a campaign with an ID',
	matches: (body) => identifierOf(body) !== undefined,
};

/**
 * The output of a create operation: what identifies the campaign, and how many recipients it has.
 * @param response as `campaignWithId` demands it
 */
export function campaignOutput(
	response: unknown,
	_call: OperationCall,
	{ body = {} }: PostRequest,
): IDataObject {
	const campaign = isObject(response) ? response : undefined;
	return {
		id: identifierOf(response),
		recipients: countOf(campaign?.phoneNumbers) ?? countOf(body.phoneNumbers) ?? 0,
		name: campaign?.name ?? body.name,
		startDate: campaign?.startDate ?? body.startDate,
	};
}

/** The service may have left out invalid numbers, so its own list counts before the request's. */
function countOf(list: unknown): number | undefined {
	return Array.isArray(list) ? list.length : undefined;
}
