import { recipientsDecideKind } from '../../recipients/fields';
import { defineOperation } from '../define';
import { invalidPhoneNumbersField, invalidPhoneNumbersSuffix } from '../shared/invalidPhoneNumbers';
import { createFields, readCampaign } from './campaignBody';
import { campaignOutput, campaignWithId } from './createdCampaign';
import { phoneNumbers } from './phoneNumbers';
import { CREATED } from './returns';

const CLI = 'defaultCli_Id';

/** `POST /api/campaigns/voice` (interface, "Voice campaigns"); responds with the campaign. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create voice campaign',
	description:
		'Start a new voice campaign: phone everyone in a list, for example every row of a sheet, by a call flow and with several attempts per phone number',
	kind: recipientsDecideKind(phoneNumbers),
	recipients: phoneNumbers,
	reachesPeople: true,
	fields: createFields(CLI, [invalidPhoneNumbersField]),
	returns: CREATED,
	request(call) {
		return {
			method: 'POST',
			path: `/api/campaigns/voice${invalidPhoneNumbersSuffix(call.parameters)}`,
			body: readCampaign(call, CLI),
			expected: campaignWithId,
		};
	},
	result: campaignOutput,
});
