import { defineOperation } from '../define';
import { estimatedCost } from '../../messageText';
import { createdCampaign } from '../shared/outcomes';
import { campaignIdentifier } from '../shared/responses';
import {
	additionalFields,
	invalidPhoneNumbersField,
	invalidPhoneNumbersSuffix,
} from '../shared/fields';
import {
	messageField,
	messageOptions,
	readMessage,
	readSender,
	senderField,
} from '../shared/textFields';
import { otherFieldNames, recipientFields } from '../../recipients/fields';
import { optionalCampaignFields, readCampaignOptions, readStart, startField } from './campaignBody';
import { numbersOf } from '../../recipients/kind';
import { contacts } from './contacts';

const createStartField = {
	...startField,
	placeholder: 'e.g. 2030-05-17 09:30. Empty: immediately',
	description:
		'When to start sending, in the time zone of the workflow. Leave empty to start immediately.',
};

/** `POST /api/Campaigns` (interface, "SMS campaigns"); responds with the campaign's ID. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create SMS campaign',
	description:
		'Start a new SMS campaign: send or broadcast the same message in bulk to many contacts, for example to every customer or row of a sheet',
	recipients: contacts,
	reaches: 'messages',
	options: messageOptions,
	fields: [
		...recipientFields(contacts),
		messageField,
		senderField,
		createStartField,
		additionalFields([
			invalidPhoneNumbersField,
			...optionalCampaignFields,
			otherFieldNames(contacts),
		]),
	],
	request(call) {
		const { parameters } = call;
		const suffix = invalidPhoneNumbersSuffix(parameters);
		const entered = parameters.optional(createStartField);
		const startDateTime = entered === undefined ? undefined : readStart(call, entered);
		const recipients = call.block?.recipients ?? [];
		const { length } = recipients;
		const message = readMessage(call, messageField);
		return {
			method: 'POST',
			path: suffix === '' ? '/api/Campaigns' : `/api/campaigns${suffix}`,
			reaches: {
				kind: 'messages',
				numbers: numbersOf(contacts, recipients),
				start: startDateTime,
			},
			expected: campaignIdentifier,
			body: {
				message,
				sender: readSender(call),
				startDateTime,
				...readCampaignOptions(call, 'additionalFields'),
				contacts: recipients,
			},
			output: {
				recipients: length,
				...createdCampaign(call),
				...estimatedCost(call.client.settings, message, length),
			},
		};
	},
	result(id, output) {
		return { ...output, id: String(id) };
	},
});
