import type { INodeProperties } from 'n8n-workflow';
import { NUMBER_TYPE_OPTIONS } from '../numbers/numberTypes';
import { DAY_NAMES } from './sendingHours';
import { PARAMETER_NAMES } from './storedNumbers';

/** The credential's fields of the sending policy; `readPolicy` reads them. */

const onlyWithPolicy = { show: { sendingPolicy: [true] } };

const ruleFields: INodeProperties[] = [
	{
		displayName: 'Only These Numbers',
		name: 'onlyTheseNumbers',
		type: 'string',
		default: '',
		placeholder: 'e.g. +447700900123, +447700900124',
		description:
			'Phone numbers, with their country code, to which a trial is limited: nobody else can be reached. Leave it empty to allow all numbers.',
	},
	{
		displayName: 'Allowed Countries',
		name: 'allowedCountries',
		type: 'string',
		default: '',
		placeholder: 'e.g. GB, IE',
		description:
			'Two-letter codes of the countries whose numbers may be reached. Leave it empty to allow all countries.',
	},
	{
		displayName: 'Blocked Number Types',
		name: 'blockedNumberTypes',
		type: 'multiOptions',
		options: NUMBER_TYPE_OPTIONS,
		default: ['premiumRate'],
		description: 'Types of numbers that must not be reached',
	},
	{
		displayName: 'Max Recipients',
		name: 'maxRecipients',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'Maximum number of recipients that one node may reach in one execution, loops and agent calls included. Over MCP, each call is an execution of its own. Use 0 for no limit.',
	},
	{
		displayName: 'Max Message Parts',
		name: 'maxMessageParts',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'Maximum number of billed SMS parts of one message (160 characters each, 70 with emoji). A longer text is refused. Use 0 for no limit.',
	},
	{
		displayName: 'Do Not Contact: Parameter',
		name: 'doNotContactParameter',
		type: 'options',
		options: [
			{ name: 'None', value: '' },
			...PARAMETER_NAMES.map((value, index) => ({ name: `Parameter ${index + 1}`, value })),
		],
		default: '',
		description:
			'Parameter of the stored numbers that says who must not be contacted. No workflow with this credential sends to them.',
	},
	{
		displayName: 'Do Not Contact: Value',
		name: 'doNotContactValue',
		type: 'string',
		default: '',
		placeholder: 'e.g. opted out',
		displayOptions: { hide: { doNotContactParameter: [''] } },
		description:
			'Stored numbers whose parameter equals this value are left out (case-insensitive). A change holds after five minutes at the latest.',
	},
	{
		displayName: 'Sending Hours From',
		name: 'sendingHoursFrom',
		type: 'string',
		default: '',
		placeholder: 'e.g. 09:00',
		description: 'Time of day from which people may be reached, as HH:mm',
	},
	{
		displayName: 'Sending Hours To',
		name: 'sendingHoursTo',
		type: 'string',
		default: '',
		placeholder: 'e.g. 20:00',
		description: 'Time of day until which people may be reached, as HH:mm',
	},
	{
		displayName: 'Sending Days',
		name: 'sendingDays',
		type: 'multiOptions',
		options: DAY_NAMES.map((name, index) => ({ name, value: String(index + 1) })),
		default: ['1', '2', '3', '4', '5', '6', '7'],
		description: 'Days of the week on which people may be reached',
	},
	{
		displayName: 'Sending Hours In',
		name: 'sendingHoursIn',
		type: 'options',
		options: [
			{
				name: 'Time Zone of the Recipient',
				value: 'recipient',
				description: 'By the phone number. All time zones that the number can be in must agree.',
			},
			{
				name: 'Time Zone of the Service',
				value: 'service',
				description:
					'By the Service Time Zone in Service Conventions. Without it, nothing is sent.',
			},
		],
		default: 'recipient',
		description: 'Whose clock the sending hours and days are read on',
	},
	{
		displayName: 'Pause Sending',
		name: 'pauseSending',
		type: 'boolean',
		default: false,
		description: 'Whether to refuse everything that would reach people, until it is off again',
	},
	{
		displayName: 'Simulate',
		name: 'simulate',
		type: 'boolean',
		default: false,
		description:
			'Whether to check everything and send nothing, for example for tests with real data',
	},
];

export const policyFields: INodeProperties[] = [
	{
		displayName: 'Sending Policy',
		name: 'sendingPolicy',
		type: 'boolean',
		default: false,
		description:
			'Whether to limit whom this credential may reach, and when. The nodes enforce it for every operation.',
	},
	...ruleFields.map((field): INodeProperties => ({
		...field,
		displayOptions: { ...field.displayOptions, ...onlyWithPolicy },
	})),
];
