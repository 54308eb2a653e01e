import { integer } from '../../returns/fields';
import { defineOperation } from '../define';
import { additionalFields, messageField, senderField } from '../shared/fields';
import { invalidPhoneNumbersField, invalidPhoneNumbersSuffix } from '../shared/invalidPhoneNumbers';
import { otherFieldNames, recipientFields, recipientsDecideKind } from '../../recipients/fields';
import { readRecipients } from '../../recipients/plan';
import { optionalCampaignFields, readCampaignFields } from './campaignBody';
import { contacts } from './contacts';
import { campaignId } from './returns';

/** `POST /api/Campaigns` (interface, "SMS campaigns"); responds with the campaign's ID. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create SMS campaign',
	description:
		'Start a new SMS campaign: send or broadcast the same message in bulk to many contacts, for example to every customer or row of a sheet',
	kind: recipientsDecideKind(contacts),
	recipients: contacts,
	reachesPeople: true,
	fields: [
		messageField,
		senderField,
		...recipientFields(contacts),
		additionalFields([
			invalidPhoneNumbersField,
			...optionalCampaignFields,
			otherFieldNames(contacts),
		]),
	],
	returns: { fields: { id: campaignId, recipients: integer(1200) } },
	async run(call) {
		const { client, parameters } = call;
		// Where the sending hours of the recipients decide, not the field.
		const startDateTime = call.batch?.startDateTime;
		const recipients = readRecipients(contacts, call);
		const suffix = invalidPhoneNumbersSuffix(parameters);
		const id = await client.identifier({
			method: 'POST',
			path: suffix === '' ? '/api/Campaigns' : `/api/campaigns${suffix}`,
			body: {
				message: parameters.read(messageField),
				sender: parameters.read(senderField),
				...readCampaignFields(call, 'additionalFields', optionalCampaignFields),
				...(startDateTime === undefined ? {} : { startDateTime }),
				contacts: recipients,
			},
		});
		return { id, recipients: recipients.length };
	},
});
