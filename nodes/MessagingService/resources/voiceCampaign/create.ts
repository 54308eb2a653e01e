import { defineOperation } from '../define';
import { invalidPhoneNumbersField } from '../fields';
import { recipientsDecideKind } from '../recipients';
import { createFields, readAdditionalFields, readCampaign } from './campaignBody';
import { phoneNumbers } from './phoneNumbers';

const CLI = 'defaultCli_Id';

/** `/:ignoreInvalidPhoneNumbers`, or the plain path when nothing was chosen. */
const PATHS: Readonly<Record<string, string>> = {
	ignore: '/api/campaigns/voice/true',
	reject: '/api/campaigns/voice/false',
};

/** `POST /api/campaigns/voice` (interface, "Voice campaigns"); answers the campaign. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create a voice campaign',
	description: 'Call many phone numbers by a call flow, for example every row of a sheet',
	kind: recipientsDecideKind(phoneNumbers),
	recipients: phoneNumbers,
	reachesPeople: true,
	fields: createFields(CLI, [invalidPhoneNumbersField]),
	async run(call) {
		const { invalidPhoneNumbers } = readAdditionalFields(call);
		return await call.client.record({
			method: 'POST',
			path: PATHS[String(invalidPhoneNumbers)] ?? '/api/campaigns/voice',
			body: readCampaign(call, CLI),
		});
	},
});
