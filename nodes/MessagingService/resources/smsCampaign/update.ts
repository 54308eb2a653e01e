import { defineOperation } from '../define';
import { asOptions, messageField, senderField, smsCampaignLocator } from '../shared/fields';
import { InputError } from '../shared/inputError';
import { answerOf } from '../shared/answers';
import { optionalCampaignFields, toCampaignBody } from './campaignBody';
import { readCampaign } from './campaignId';

const UPDATE_FIELDS = 'Update Fields';

/** `POST /api/Campaigns/:id` with a body (interface, "SMS campaigns"); the answer is not shown. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update SMS campaign',
	description: 'Change the message, sender, start or links of an SMS campaign',
	kind: 'perItem',
	reachesPeople: true,
	fields: [
		smsCampaignLocator,
		{
			displayName: UPDATE_FIELDS,
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			required: true,
			description: 'The fields to change; the others stay as they are',
			options: asOptions([messageField, senderField, ...optionalCampaignFields]),
		},
	],
	async run(call) {
		const { client, parameters } = call;
		const { id, path } = readCampaign(parameters);
		const fields = parameters.collection('updateFields', UPDATE_FIELDS);
		if (Object.keys(fields).length === 0) {
			throw new InputError(UPDATE_FIELDS, 'has no entry', 'Add the fields that are to change.');
		}
		const answer = await client.anything({
			method: 'POST',
			path,
			body: toCampaignBody(fields, call),
		});
		return answerOf(answer, { id });
	},
});
