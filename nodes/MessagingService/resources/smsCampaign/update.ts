import { Failure } from '../../failure';
import { present } from '../../json';
import { trimmed } from '../../texts';
import { defineOperation } from '../define';
import { asOptions } from '../shared/fields';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';
import { undocumentedOutput } from '../shared/responses';
import { checkText, messageField, senderField } from '../shared/textFields';
import { optionalCampaignFields, readCampaignOptions, readStart, startField } from './campaignBody';

const UPDATE_FIELDS = 'Update Fields';

const fieldsToUpdate = asOptions([
	messageField,
	senderField,
	startField,
	...optionalCampaignFields,
]);

/** `POST /api/Campaigns/:id` with a body (interface, "SMS campaigns"); the response is not shown. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update SMS campaign',
	description: 'Edit an SMS campaign: move its start, or change its text, sender or links',
	reaches: 'campaign',
	fields: [
		smsCampaignLocator,
		{
			displayName: UPDATE_FIELDS,
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			required: true,
			description: 'Fields to change',
			options: fieldsToUpdate,
		},
	],
	request(call) {
		const { id, path } = readSmsCampaign(call.parameters);
		const body = readCampaignOptions(call, 'updateFields', fieldsToUpdate);
		if (Object.keys(body).length === 0) {
			throw Failure.ofField(UPDATE_FIELDS, 'has no field', 'Add the fields to change.');
		}
		for (const field of [messageField, senderField]) {
			checkText(call, field, body[field.name], { path: `updateFields.${field.name}` });
		}
		const { sender, startDateTime } = body;
		const start = startDateTime === undefined ? undefined : readStart(call, startDateTime);
		return {
			method: 'POST',
			path,
			reaches: { kind: 'campaign', path, start },
			changes: path,
			body: present({ ...body, sender: trimmed(sender) || undefined, startDateTime: start }),
			output: { id },
		};
	},
	result: undocumentedOutput,
});
