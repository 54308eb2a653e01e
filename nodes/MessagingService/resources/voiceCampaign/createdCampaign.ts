import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../define';
import type { ExpectedResponse } from '../shared/responses';

/** The names that a response may give the campaign's ID; the interface shows `id` for one operation. */
const ID_NAMES = ['id', 'campaignId', 'campaign_Id', 'Id'] as const;

/** An option of both create operations. */
export const fullResponseOption = {
	displayName: 'Full Response',
	name: 'fullResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the response as received, with all phone numbers, instead of what identifies the campaign',
} satisfies INodeProperties;

/** Whether the user wants the response as received. */
export function readFullResponse({ parameters }: OperationCall): boolean {
	return parameters.member('options', fullResponseOption) ?? false;
}

/** A campaign without an ID was not created, whatever its status says. */
export const CREATED_CAMPAIGN: ExpectedResponse = {
	description: 'a campaign with its ID',
	matches: (response) => idOf(response) !== undefined,
};

/**
 * The output of a create operation: what identifies the campaign and how many recipients it has, or
 * the response as received.
 * @param body of the request
 * @param isFull what `readFullResponse` gave before the request was sent
 */
export function campaignOutput(response: unknown, body: IDataObject, isFull: boolean): IDataObject {
	const campaign = recordOf(response);
	if (isFull && campaign !== undefined) return campaign;
	return {
		id: idOf(response) as IDataObject[string],
		name: campaign?.name ?? body.name,
		startDate: campaign?.startDate ?? body.startDate,
		recipients: countOf(campaign?.phoneNumbers) ?? countOf(body.phoneNumbers) ?? 0,
	};
}

function idOf(response: unknown): unknown {
	const campaign = recordOf(response);
	const candidates: unknown[] =
		campaign === undefined ? [response] : ID_NAMES.map((name) => campaign[name]);
	return candidates.find((id) => typeof id === 'number' || (typeof id === 'string' && id !== ''));
}

function recordOf(response: unknown): IDataObject | undefined {
	return typeof response === 'object' && response !== null && !Array.isArray(response)
		? (response as IDataObject)
		: undefined;
}

/** The service may have left out invalid numbers, so its own list counts before the request's. */
function countOf(list: unknown): number | undefined {
	return Array.isArray(list) ? list.length : undefined;
}
