import type { INodeProperties } from 'n8n-workflow';
import { defineOperation } from '../define';
import { messageField, senderField } from '../shared/fields';
import { InputError } from '../shared/inputError';
import { readPhoneNumber } from '../shared/phoneNumbers';

const PHONE_NUMBER = 'Phone Number';

const phoneNumberField: INodeProperties = {
	displayName: PHONE_NUMBER,
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +447700900123',
	description: 'The number to send to, in international form',
};

const marketingMessageField: INodeProperties = {
	...messageField,
	description: 'Text of the SMS',
	hint: 'For marketing messages only, not for codes or alerts',
};

const fields = [phoneNumberField, marketingMessageField, senderField];

/** `POST /api/SMSMessages` (interface, "SMS messages"); answers the message's GUID. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send SMS message',
	description: 'Send one marketing SMS to one phone number',
	kind: 'perItem',
	reachesPeople: true,
	fields,
	mappable: fields,
	async run({ client, parameters }) {
		const { number, problem } = readPhoneNumber(parameters.value('phoneNumber', PHONE_NUMBER));
		if (number === undefined) {
			throw new InputError(PHONE_NUMBER, problem, 'Nothing was sent for this item.');
		}
		const newId = await client.identifier({
			method: 'POST',
			path: '/api/SMSMessages',
			body: {
				message: parameters.requiredText('message', 'Message'),
				sender: parameters.requiredText('sender', 'Sender'),
				phoneNumber: number,
			},
		});
		return { newId };
	},
});
