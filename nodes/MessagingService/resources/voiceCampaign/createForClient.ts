import { recipientsDecideKind } from '../../recipients/fields';
import { withClientId } from '../../transport/clientId';
import { defineOperation } from '../define';
import { clientIdField } from '../shared/fields';
import { createFields, readCampaign } from './campaignBody';
import { campaignOutput, campaignWithId } from './createdCampaign';
import { phoneNumbers } from './phoneNumbers';
import { CREATED } from './returns';

const CLI = 'cli_Id';

/** `POST /api/Campaign/Voice/` (interface, "Voice campaigns"); of the response, only an ID is shown. */
export const createForClient = defineOperation({
	value: 'createForClient',
	name: 'Create for Another Client',
	action: 'Create voice campaign for another client',
	description: 'Start a bulk voice campaign for another client from a pre-compiled list of numbers',
	kind: recipientsDecideKind(phoneNumbers),
	recipients: phoneNumbers,
	reachesPeople: true,
	fields: createFields(CLI, [clientIdField]),
	returns: CREATED,
	request(call) {
		const { client, parameters } = call;
		const body = readCampaign(call, CLI);
		return withClientId(
			client,
			{ method: 'POST', path: '/api/Campaign/Voice/', body, expected: campaignWithId },
			parameters.member('additionalFields', clientIdField)?.trim(),
		);
	},
	result: campaignOutput,
});
