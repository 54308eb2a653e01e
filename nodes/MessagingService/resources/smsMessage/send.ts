import type { INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { Failure } from '../../failure';
import { doNotContactOptions } from '../../recipients/doNotContactOptions';
import { readSingleNumber, singleNumberOptions } from '../../recipients/phoneNumber';
import { defineOperation } from '../define';
import { outputOptions } from '../shared/fields';
import { ACCEPTED, messageColumns } from '../shared/outcomes';
import { messageGuid } from '../shared/responses';
import {
	messageField,
	messageOptions,
	readMessage,
	readSender,
	senderField,
	sendPlaceholders,
} from '../shared/textFields';

const recipientField = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +447700900123',
	description:
		'Number to send to. Without country code, it needs a Default Country in the credential or in Options.',
} satisfies INodeProperties;

const marketingMessageField = {
	...messageField,
	description: 'Text of the SMS: for marketing only, not for codes or alerts',
	builderHint: {
		propertyHint:
			"Plain text without Markdown. An expression may make a personal text for each item, e.g. expr('Hello {{ $json.name }}').",
	},
} satisfies INodeProperties;

/** Items of a dry run of Send, led into a real one, have a number and a text: the bad ones are refused. */
function assertWouldSend({ context, itemIndexes: [index = 0] }: OperationInput): void {
	if (context.getInputData()[index]?.json.wouldSend !== false) return;
	throw Failure.ofField(
		'The item',
		'has wouldSend: false from a dry run',
		'Its reason says why. Fix the row where it comes from, or remove such items with a Filter before this node.',
	);
}

/** `POST /api/SMSMessages` (interface, "SMS messages"); responds with the message's GUID. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send SMS message',
	description:
		'Send one marketing text message (SMS) to one phone number, for example an offer to the customer of each item',
	reaches: 'messages',
	fields: [recipientField, marketingMessageField, senderField],
	options: [
		...doNotContactOptions,
		...singleNumberOptions,
		...messageOptions,
		sendPlaceholders,
		...outputOptions,
	],
	request(input) {
		assertWouldSend(input);
		const isFinal = input.parameters.member('options', sendPlaceholders) !== true;
		const message = readMessage(input, marketingMessageField, isFinal);
		const sender = readSender(input, isFinal);
		const phoneNumber = readSingleNumber(input, recipientField);
		return {
			method: 'POST',
			path: '/api/SMSMessages',
			reaches: { kind: 'messages', numbers: [phoneNumber] },
			expected: messageGuid,
			body: { message, sender, phoneNumber },
			output: messageColumns(input.client.settings, {
				phoneNumber,
				message,
				sent: 'yes',
				reason: ACCEPTED,
			}),
		};
	},
	result(newId, output) {
		return { ...output, newId: String(newId) };
	},
});
