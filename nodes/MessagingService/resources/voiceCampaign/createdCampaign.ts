import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Failure } from '../../transport/errors';
import { toNodeApiError } from '../../transport/errors';
import type { OperationCall } from '../define';

/** The names that a response may give the campaign's ID; the interface shows `id` for one operation. */
const ID_NAMES = ['id', 'campaignId', 'campaign_Id', 'Id'] as const;

/** What a success without an ID means. */
const WITHOUT_ID: Failure = {
	message: 'The response of the service has no campaign ID',
	description:
		'The campaign may have been created: check in the service before creating it again, for example with the Get Many operation.',
	sent: 'possibly',
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

/** Whether the user wants the response as received. */
export function readFullResponse({ parameters }: OperationCall): boolean {
	return parameters.member('options', fullResponseOption) ?? false;
}

/**
 * The output of a create operation: what identifies the campaign and how many recipients it has, or
 * the response as received.
 * @param body of the request
 * @param isFull what `readFullResponse` gave before the request was sent
 * @throws NodeApiError when the response has no ID: it is not certain then that a campaign exists
 */
export function campaignOutput(
	{ context }: OperationCall,
	response: unknown,
	body: IDataObject,
	isFull: boolean,
): IDataObject {
	const campaign = recordOf(response);
	const id = idOf(response);
	if (id === undefined) throw toNodeApiError(context.getNode(), WITHOUT_ID);
	if (isFull && campaign !== undefined) return campaign;
	return {
		id,
		name: campaign?.name ?? body.name,
		startDate: campaign?.startDate ?? body.startDate,
		recipients: countOf(campaign?.phoneNumbers) ?? countOf(body.phoneNumbers) ?? 0,
	};
}

function idOf(response: unknown): string | number | undefined {
	const campaign = recordOf(response);
	const candidates: unknown[] =
		campaign === undefined ? [response] : ID_NAMES.map((name) => campaign[name]);
	return candidates.find((id): id is string | number =>
		typeof id === 'string' ? id !== '' : typeof id === 'number',
	);
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
