import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { OUTCOMES, SMS_STATUSES, STAGES } from '../codes';

/**
 * One output, or one for each kind of event. Written out as an expression, so it stands alone: it
 * may use nothing from outside.
 */
export function configuredOutputs(parameters: { options?: { separateOutputs?: boolean } }) {
	if (parameters.options?.separateOutputs !== true) return [{ type: 'main' }];
	return ['Call Attempted', 'SMS Status', 'Unknown'].map((displayName) => ({
		type: 'main',
		displayName,
	}));
}

export const OUTPUTS: INodeTypeDescription['outputs'] = `={{(${String(configuredOutputs)})($parameter)}}`;

/** The codes of a table as options of a list, in the order of the codes. */
function codeOptions(table: Readonly<Record<number, string>>) {
	return Object.entries(table).map(([code, name]) => ({
		name: `${name} (${code})`,
		value: Number(code),
	}));
}

const automatically = { registration: ['automatic'] };

const urlFields: INodeProperties[] = [
	{
		displayName:
			'The service keeps one webhook URL per client, and its operator must know the URL beforehand: hand over the production URL above. Publishing this workflow replaces the URL that is registered now.',
		name: 'oneUrlNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: 'messaging-service',
		required: true,
		placeholder: 'e.g. messaging-service',
		hint: 'Set a Webhook Secret in the credential, or everybody who learns the URL can start this workflow',
		description:
			'Last part of the webhook URL. It stays the same when the workflow is copied or imported, so the URL can be agreed with the service operator beforehand.',
	},
];

const registrationFields: INodeProperties[] = [
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Publishing the workflow registers its URL with the service',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: 'The URL is set elsewhere: the trigger never calls the service',
			},
		],
		default: 'automatic',
		description: 'Who tells the service where to deliver events',
	},
	{
		displayName: 'While Listening',
		name: 'whileListening',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Borrow the Registration',
				value: 'borrow',
				description: 'Events come to the editor while it listens, then to the production URL again',
			},
			{
				name: 'Leave the Registration Alone',
				value: 'leave',
				description: 'Events go where they go now; send test events to the test URL yourself',
			},
		],
		default: 'borrow',
		description: 'What happens to the registered URL while the editor listens for a test event',
		displayOptions: { show: automatically },
	},
	{
		displayName:
			'While the editor listens, live events come to the test URL: the first one runs this workflow as a test, and afterwards the production URL is registered again',
		name: 'borrowNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...automatically, whileListening: ['borrow'] } },
	},
	{
		displayName:
			'While the editor listens, live events go on to where they are registered now; none of them reaches the editor',
		name: 'leaveNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...automatically, whileListening: ['leave'] } },
	},
	{
		displayName: 'URL After Listening',
		name: 'urlAfterListening',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/events',
		description:
			'The URL to register when listening ends, by an event, by time-out or by Stop. Empty: the production URL of this trigger, also when the workflow is not published.',
		displayOptions: { show: { ...automatically, whileListening: ['borrow'] } },
	},
	{
		displayName: 'On Deactivation',
		name: 'onDeactivation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Keep the URL',
				value: 'keep',
				description: 'The service goes on delivering, and gets errors from n8n',
			},
			{
				name: 'Remove the URL',
				value: 'remove',
				description: 'The service delivers no more events',
			},
			{
				name: 'Set Another URL',
				value: 'replace',
				description: 'The service delivers events to another system',
			},
		],
		default: 'remove',
		description:
			'What becomes of the registered URL when the workflow is unpublished. Only a URL that this trigger has set is ever touched.',
		displayOptions: { show: automatically },
	},
	{
		displayName: 'Replacement URL',
		name: 'replacementUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://crm.example.com/events',
		description: 'The URL to register when the workflow is unpublished',
		displayOptions: { show: { ...automatically, onDeactivation: ['replace'] } },
	},
];

const eventFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: [
			{
				name: 'Call Attempted',
				value: 'callAttempted',
				action: 'On call attempted',
				description: 'A call of a voice campaign was attempted, with its outcome',
			},
			{
				name: 'SMS Status',
				value: 'smsStatus',
				action: 'On SMS status',
				description: 'The delivery status of an SMS changed',
			},
		],
		default: ['callAttempted', 'smsStatus'],
		required: true,
		description:
			'Which events start the workflow. With all of them selected, events of kinds still unknown start it as well.',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Batch Events',
		name: 'batchEvents',
		type: 'boolean',
		default: false,
		description:
			'Whether to start one execution for several events instead of one for each. A delivery is answered only once n8n has taken over the execution that carries its event.',
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 100,
		description: 'Number of events that are enough to start an execution',
		displayOptions: { show: { batchEvents: [true] } },
	},
	{
		displayName: 'Longest Wait (Milliseconds)',
		name: 'batchMilliseconds',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20000 },
		default: 1000,
		description:
			'How long the first event of a batch waits for more. The service waits as long for the answer, so stay well below its time limit.',
		displayOptions: { show: { batchEvents: [true] } },
	},
	{
		displayName: 'Longest Pause (Milliseconds)',
		name: 'batchQuietMilliseconds',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20000 },
		default: 100,
		description:
			'Ends the wait early when no event has come for so long, for the service may deliver only a few events at once and wait for their answers. 0 always waits to the end.',
		displayOptions: { show: { batchEvents: [true] } },
	},
	{
		displayName: 'Respond',
		name: 'responseMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Immediately',
				value: 'onReceived',
				description: 'As soon as n8n has stored the execution, before it runs',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description:
					'Once the workflow has succeeded. When it fails, or the n8n process that runs it dies, the service gets an error and can deliver the event again.',
			},
		],
		default: 'onReceived',
		description:
			'When the service gets its answer. It waits for it, so let the workflow be faster than the time limit of the service if it is to respond at the end.',
	},
];

const filterFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Events that do not fit are acknowledged, and start nothing',
		options: [
			{
				displayName: 'Call Outcomes',
				name: 'outcomes',
				type: 'multiOptions',
				options: codeOptions(OUTCOMES),
				default: [],
				description: 'Only calls with one of these outcomes',
			},
			{
				displayName: 'Call Stages',
				name: 'stages',
				type: 'multiOptions',
				options: codeOptions(STAGES),
				default: [],
				description: 'Only calls that reached one of these stages',
			},
			{
				displayName: 'Campaign IDs',
				name: 'campaignIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2001, 2002',
				description: 'Only calls of these campaigns, separated by commas. SMS events carry none.',
			},
			{
				displayName: 'Phone Numbers',
				name: 'phoneNumbers',
				type: 'string',
				default: '',
				placeholder: 'e.g. +447700900123',
				description:
					'Only events of these numbers, separated by commas. Spaces and the plus do not matter.',
			},
			{
				displayName: 'SMS Statuses',
				name: 'statuses',
				type: 'multiOptions',
				options: codeOptions(SMS_STATUSES),
				default: [],
				description: 'Only messages with one of these statuses',
			},
		],
	},
];

const optionFields: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Allowed IP Addresses',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
				description:
					'Addresses and networks that may deliver events, separated by commas. Behind a proxy, n8n must know it: set N8N_PROXY_HOPS.',
			},
			{
				displayName: 'Drop Repeats',
				name: 'dropRepeats',
				type: 'boolean',
				default: false,
				description:
					'Whether to ignore an event that this n8n process has received already. It remembers the last 50,000 events, until it restarts; for more, use the node Remove Duplicates with eventId.',
			},
			{
				displayName: 'Forward Time Limit (Milliseconds)',
				name: 'forwardTimeLimit',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 20000 },
				default: 1000,
				description: 'How long passing an event on may take in all, further tries included',
			},
			{
				displayName: 'Forward To',
				name: 'forwardTo',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add URL',
				default: {},
				description:
					'Other systems that get each accepted event, unchanged. What fails is in the field forwardErrors of the output.',
				options: [
					{
						displayName: 'Destinations',
						name: 'destinations',
						values: [
							{
								displayName: 'URL',
								name: 'url',
								type: 'string',
								default: '',
								placeholder: 'e.g. https://crm.example.com/events',
							},
						],
					},
				],
			},
			{
				displayName: 'Separate Outputs',
				name: 'separateOutputs',
				type: 'boolean',
				default: false,
				description: 'Whether to give each kind of event its own output',
			},
		],
	},
];

/** What the user fills in. */
export const triggerProperties: INodeProperties[] = [
	...urlFields,
	...eventFields,
	...filterFields,
	...registrationFields,
	...optionFields,
];
