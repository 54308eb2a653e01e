import type { INodeProperties } from 'n8n-workflow';
import { defineOperation } from '../define';
import { messageField, senderField } from '../shared/fields';
import { phoneNumberField } from '../shared/fieldValue';

const recipientField = phoneNumberField({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +447700900123',
	description: 'Number to send to, in international form',
} satisfies INodeProperties);

const marketingMessageField = {
	...messageField,
	description: 'Text of the SMS',
	hint: 'For marketing messages only, not for codes or alerts',
} satisfies INodeProperties;

const fields = [recipientField, marketingMessageField, senderField];

/** `POST /api/SMSMessages` (interface, "SMS messages"); responds with the message's GUID. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send SMS message',
	description: 'Send one marketing SMS to one phone number',
	kind: 'perItem',
	reachesPeople: true,
	reach: 1,
	fields,
	mappable: fields,
	async run({ client, parameters }) {
		const newId = await client.identifier({
			method: 'POST',
			path: '/api/SMSMessages',
			body: {
				message: parameters.read(marketingMessageField),
				sender: parameters.read(senderField),
				phoneNumber: parameters.read(recipientField),
			},
		});
		return { newId };
	},
});
