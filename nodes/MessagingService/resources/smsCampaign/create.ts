import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { defineOperation } from '../define';
import { toUtc } from '../dates';
import { messageField, senderField } from '../fields';
import { contactFields, readContacts } from './contacts';

const ADDITIONAL_FIELDS = 'Additional Fields';

const additionalFields: INodeProperties = {
	displayName: ADDITIONAL_FIELDS,
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Invalid Phone Numbers',
			name: 'invalidPhoneNumbers',
			type: 'options',
			options: [
				{
					name: 'Ignore',
					value: 'ignore',
					description: 'Create the campaign without the contacts whose number is invalid',
				},
				{
					name: 'Reject',
					value: 'reject',
					description: 'Create nothing and report the invalid numbers',
				},
			],
			default: 'reject',
			description:
				'What the service does with contacts whose number it finds invalid. Without this field, it does what it is set up to do.',
		},
		{
			displayName: 'Opt-Out Link ID',
			name: 'optOutLinkId',
			type: 'number',
			default: 0,
			description: 'ID of the opt-out link, supplied by the service operator',
		},
		{
			displayName: 'Start Date and Time',
			name: 'startDateTime',
			type: 'dateTime',
			default: '',
			description:
				'When to start sending, in the time zone of the workflow. Without it, the service starts at once.',
		},
		{
			displayName: 'Track Link URL',
			name: 'trackLinkUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://shop.example.com/sale',
			description: 'Address of a link in the message whose clicks are tracked',
		},
	],
};

/** `POST /api/campaigns/:ignoreInvalidPhoneNumbers`, or the plain path when nothing was chosen. */
const PATHS: Readonly<Record<string, string>> = {
	ignore: '/api/campaigns/true',
	reject: '/api/campaigns/false',
};

/** `POST /api/Campaigns` (interface, "SMS campaigns"); answers the campaign's ID. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create an SMS campaign',
	description: 'Send one message to many contacts, for example to every row of a sheet',
	kind: (context) =>
		context.getNodeParameter('contactsSource', 0) === 'inputItems' ? 'allItems' : 'perItem',
	fields: [messageField, senderField, ...contactFields, additionalFields],
	async run(call) {
		const { client, context, parameters } = call;
		const { invalidPhoneNumbers, startDateTime, ...others } = parameters.collection(
			'additionalFields',
			ADDITIONAL_FIELDS,
		);
		const body: IDataObject = {
			message: parameters.requiredText('message', 'Message'),
			sender: parameters.requiredText('sender', 'Sender'),
			...others,
		};
		if (startDateTime !== undefined) {
			body.startDateTime = toUtc(startDateTime, context.getTimezone(), 'Start Date and Time');
		}
		body.contacts = readContacts(call);
		const id = await client.identifier({
			method: 'POST',
			path: PATHS[String(invalidPhoneNumbers)] ?? '/api/Campaigns',
			body,
		});
		return { id };
	},
});
