import type { IDataObject } from 'n8n-workflow';
import { integer } from '../../returns/fields';
import { defineOperation } from '../define';
import { campaignIdentifier } from '../shared/identifiers';
import { additionalFields, messageField, senderField } from '../shared/fields';
import { invalidPhoneNumbersField, invalidPhoneNumbersSuffix } from '../shared/invalidPhoneNumbers';
import { otherFieldNames, recipientFields, recipientsDecideKind } from '../../recipients/fields';
import { recipientsOf } from '../../recipients/batch';
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
	request(call) {
		const { parameters } = call;
		const suffix = invalidPhoneNumbersSuffix(parameters);
		return {
			method: 'POST',
			path: suffix === '' ? '/api/Campaigns' : `/api/campaigns${suffix}`,
			expected: campaignIdentifier,
			body: {
				message: parameters.read(messageField),
				sender: parameters.read(senderField),
				...readCampaignFields(call, 'additionalFields', optionalCampaignFields),
				contacts: recipientsOf(call) as IDataObject[],
			},
		};
	},
	result(id, call) {
		return { id: String(id), recipients: recipientsOf(call).length };
	},
});
