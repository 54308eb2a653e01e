import { defineOperation } from '../define';
import {
	invalidPhoneNumbersField,
	invalidPhoneNumbersSuffix,
	messageField,
	senderField,
} from '../shared/fields';
import { readRecipients, recipientFields, recipientsDecideKind } from '../../recipients/recipients';
import { optionalCampaignFields, toCampaignBody } from './campaignBody';
import { contacts } from './contacts';

const ADDITIONAL_FIELDS = 'Additional Fields';

/** `POST /api/Campaigns` (interface, "SMS campaigns"); answers the campaign's ID. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create SMS campaign',
	description: 'Send one message to many contacts, for example to every row of a sheet',
	kind: recipientsDecideKind(contacts),
	recipients: contacts,
	reachesPeople: true,
	fields: [
		messageField,
		senderField,
		...recipientFields(contacts),
		{
			displayName: ADDITIONAL_FIELDS,
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [invalidPhoneNumbersField, ...optionalCampaignFields],
		},
	],
	async run(call) {
		const { client, parameters } = call;
		const { invalidPhoneNumbers, ...optional } = parameters.collection(
			'additionalFields',
			ADDITIONAL_FIELDS,
		);
		const suffix = invalidPhoneNumbersSuffix(invalidPhoneNumbers);
		const id = await client.identifier({
			method: 'POST',
			path: suffix === '' ? '/api/Campaigns' : `/api/campaigns${suffix}`,
			body: {
				message: parameters.requiredText('message', 'Message'),
				sender: parameters.requiredText('sender', 'Sender'),
				...toCampaignBody(optional, call),
				contacts: readRecipients(contacts, call),
			},
		});
		return { id };
	},
});
