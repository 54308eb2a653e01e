import type { INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import { shown } from '../../texts';
import type { ParameterReader } from '../../parameters/reader';
import { pathSegment } from '../../transport/request';

/** One of the service's records: from the list (searchable), or by ID. */
export function locator(options: {
	displayName: string;
	name: string;
	description: string;
	/** What the list says before anything is selected; the name of its mode has no more room. */
	listPlaceholder?: string;
	searchListMethod: string;
	idPlaceholder: string;
}) {
	const { listPlaceholder = 'Select one...', searchListMethod, idPlaceholder, ...texts } = options;
	return {
		...texts,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: listPlaceholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: idPlaceholder },
		],
	} satisfies INodeProperties;
}

export const smsCampaignLocator = locator({
	displayName: 'Campaign',
	name: 'campaignId',
	description: 'Select the campaign, or enter its ID',
	searchListMethod: 'searchSmsCampaigns',
	idPlaceholder: 'e.g. 5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10',
});

export const voiceCampaignLocator = locator({
	displayName: 'Campaign',
	name: 'campaignId',
	description: 'Select the campaign, or enter its ID',
	searchListMethod: 'searchVoiceCampaigns',
	idPlaceholder: 'e.g. 4711',
});

export const storedNumberLocator = locator({
	displayName: 'Stored Number',
	name: 'storageId',
	description: 'Select the stored number, or enter its storage ID',
	searchListMethod: 'searchStoredNumbers',
	idPlaceholder: 'e.g. customer-4711',
});

export const smsMessageLocator = locator({
	displayName: 'Message ID',
	name: 'messageId',
	description: 'Select the message, or enter its ID: newId in the output of Send',
	searchListMethod: 'searchSmsMessages',
	idPlaceholder: 'e.g. 5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10',
});

/** Words that other endpoints have in the place of the ID, in any case. */
const RESERVED = /^(true|false|voice)$/i;

/**
 * The ID and the path of the SMS campaign that the user chose. A word that means another endpoint in
 * the place of its ID is refused: `POST /api/Campaigns/true` would create a campaign instead of
 * changing one.
 */
export function readSmsCampaign(parameters: ParameterReader) {
	const id = parameters.locator(smsCampaignLocator);
	if (!RESERVED.test(id)) return { id, path: `/api/Campaigns/${pathSegment(id)}` };
	throw Failure.ofField(
		'Campaign',
		`is not the ID of an SMS campaign (${shown(id)})`,
		'Select the campaign from the list, or enter its ID.',
	);
}

/**
 * The ID and the path of the voice campaign that the user chose. An ID that is not an integer is
 * refused: the letter `p` in its place would list campaigns.
 */
export function readVoiceCampaign(parameters: ParameterReader) {
	const id = parameters.locator(voiceCampaignLocator);
	if (/^\d+$/.test(id)) return { id, path: `/api/campaigns/voice/${id}` };
	throw Failure.ofField(
		'Campaign',
		`is not a number (${shown(id)})`,
		'Select the campaign from the list, or enter its ID: a number.',
	);
}
