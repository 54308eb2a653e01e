import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject } from '../../json';
import { JsonList } from '../../jsonList';
import type { ExpectedResponse, PostRequest } from '../../transport/request';
import { identifierOf } from '../../transport/responseShape';
import type { OperationCall } from '../operation';

/** What the response of both create operations must be; otherwise it is not certain that a campaign exists. */
export const campaignWithId: ExpectedResponse = {
	description: 'a campaign with an ID',
	matches: (body) => identifierOf(body) !== undefined,
};

/** An option of both create operations. */
export const fullResponseOption = {
	displayName: 'Full Response',
	name: 'fullResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the response as received, with all phone numbers, instead of what identifies the campaign',
} satisfies INodeProperties;

/** Whether the user wants the response as received. @throws InputError for a value that is none */
export function readFullResponse({ parameters }: OperationCall): boolean {
	return parameters.member('options', fullResponseOption) ?? false;
}

/**
 * The output of a create operation: what identifies the campaign and how many recipients it has, or
 * the response as received.
 * @param response as `campaignWithId` demands it
 */
export function campaignOutput(
	response: unknown,
	call: OperationCall,
	{ body = {} }: PostRequest,
): IDataObject {
	const isFull = readFullResponse(call);
	const campaign = isObject(response) ? response : undefined;
	if (isFull && campaign !== undefined) return campaign;
	return {
		id: identifierOf(response),
		recipients: countOf(campaign?.phoneNumbers) ?? countOf(body.phoneNumbers) ?? 0,
		name: campaign?.name ?? body.name,
		startDate: campaign?.startDate ?? body.startDate,
	};
}

/** The service may have left out invalid numbers, so its own list counts before the request's. */
function countOf(list: unknown): number | undefined {
	return Array.isArray(list) || list instanceof JsonList ? list.length : undefined;
}
