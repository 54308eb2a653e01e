import { defineOperation } from '../define';
import { invalidPhoneNumbersField, invalidPhoneNumbersSuffix } from '../shared/fields';
import { recipientsDecideKind } from '../../recipients/recipients';
import { createFields, readAdditionalFields, readCampaign } from './campaignBody';
import { phoneNumbers } from './phoneNumbers';

const CLI = 'defaultCli_Id';

/** `POST /api/campaigns/voice` (interface, "Voice campaigns"); answers the campaign. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create voice campaign',
	description: 'Call many phone numbers by a call flow, for example every row of a sheet',
	kind: recipientsDecideKind(phoneNumbers),
	recipients: phoneNumbers,
	reachesPeople: true,
	fields: createFields(CLI, [invalidPhoneNumbersField]),
	async run(call) {
		const { invalidPhoneNumbers } = readAdditionalFields(call);
		return await call.client.record({
			method: 'POST',
			path: `/api/campaigns/voice${invalidPhoneNumbersSuffix(invalidPhoneNumbers)}`,
			body: readCampaign(call, CLI),
		});
	},
});
