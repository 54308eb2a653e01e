import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { OUTCOMES, SMS_STATUSES, STAGES } from '../codes';
import { asOptions } from '../resources/shared/fields';

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

const mainFields: INodeProperties[] = [
	{
		displayName: 'Publishing replaces the webhook URL of your client',
		name: 'oneUrlNotice',
		type: 'notice',
		default: '',
	},
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
			'Which events start the workflow. If all are selected, events of unknown kinds start it as well.',
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: 'messaging-service',
		required: true,
		placeholder: 'e.g. messaging-service',
		hint: 'To protect it, set a Webhook Secret in the credential',
		description:
			'Last part of the webhook URL. Without a Webhook Secret, anyone who knows the URL can start this workflow. A copied or imported workflow keeps the Path, so the service operator needs to know only one URL.',
	},
];

const filterFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Which of the events start the workflow. Others are acknowledged with 200.',
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
					'Only events of these numbers, separated by commas. Spaces and the plus sign are ignored.',
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

/** Of registering the webhook URL with the service. */
const registrationOptions: INodeProperties[] = [
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'The trigger registers its URL and keeps it registered',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: 'You register the URL: the trigger never calls the service',
			},
		],
		default: 'automatic',
		description: 'Who registers the webhook URL with the service',
	},
	{
		displayName: 'Renew Every (Hours)',
		name: 'renewEveryHours',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 720 },
		default: 6,
		description:
			'How often the URL is registered again, in addition to every start of n8n. Use 0 to register it only when the workflow is published, e.g. where a second n8n uses the same client.',
	},
	{
		displayName: 'Replacement URL',
		name: 'replacementUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://crm.example.com/events',
		description: 'The URL to register when the workflow is unpublished',
		displayOptions: { show: { whenUnpublished: ['replace'] } },
	},
	{
		displayName: 'URL to Restore',
		name: 'urlToRestore',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://crm.example.com/events',
		description:
			'The URL to register when listening ends, where n8n does not know which one was registered before',
		displayOptions: { show: { whileListening: ['redirect'] } },
	},
	{
		displayName: 'When Unpublished',
		name: 'whenUnpublished',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Keep the URL',
				value: 'keep',
				description: 'The service keeps delivering events, and n8n responds with an error',
			},
			{
				name: 'Register Another URL',
				value: 'replace',
				description: 'The service delivers events to another system',
			},
			{
				name: 'Remove the URL',
				value: 'remove',
				description:
					'The trigger published before this one gets the URL back; if there is none, the service stops delivering events',
			},
		],
		default: 'remove',
		description:
			'What happens to the registered URL when the workflow is unpublished. A URL that this trigger has not registered does not change.',
	},
	{
		displayName: 'While Listening',
		name: 'whileListening',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Only Listen',
				value: 'leave',
				description: 'Send test events to the test URL yourself',
			},
			{
				name: 'Redirect Live Events',
				value: 'redirect',
				description:
					'Live events start this workflow as a test until listening ends; then the URL registered before is restored',
			},
			{
				name: 'Show a Sample Event',
				value: 'sample',
				description: 'A sample of each selected event arrives, and the service is not called',
			},
		],
		default: 'sample',
		description: 'What happens while the editor listens for a test event',
	},
];

/** Of what is delivered. */
const deliveryOptions: INodeProperties[] = [
	{
		displayName: 'Allowed IP Addresses',
		name: 'ipAllowlist',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
		description:
			'IP addresses and networks that may deliver events, separated by commas. If n8n runs behind a proxy, set N8N_PROXY_HOPS.',
	},
	{
		displayName: 'Batch Events',
		name: 'batchEvents',
		type: 'boolean',
		default: false,
		description:
			'Whether to start one execution for several events instead of one for each. The service gets its response once n8n has stored that execution.',
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 100,
		description: 'Maximum number of events in a batch',
		displayOptions: { show: { batchEvents: [true] } },
	},
	{
		displayName: 'Drop Duplicates',
		name: 'dropDuplicates',
		type: 'boolean',
		default: false,
		description:
			'Whether to ignore an event that this n8n process has received before. It remembers the last 50,000 events until it restarts; for more, use the Remove Duplicates node with eventId.',
	},
	{
		displayName: 'Idle Timeout (Milliseconds)',
		name: 'idleTimeout',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20000 },
		default: 100,
		description:
			'Time without another event after which a batch starts early. Use 0 to always wait for Max Wait.',
		displayOptions: { show: { batchEvents: [true] } },
	},
	{
		displayName: 'Max Wait (Milliseconds)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20000 },
		default: 1000,
		description:
			'Maximum time that the first event of a batch waits for more. The service waits as long for its response, so stay below its time limit.',
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
				description: 'When n8n has stored the execution, before it runs',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description:
					'When the workflow has succeeded, or starts to wait. If it fails, the service gets an error and can deliver the event again.',
			},
		],
		default: 'onReceived',
		description:
			'When the service gets its response. The workflow must finish within the time limit of the service if it responds at the end.',
	},
	{
		displayName: 'Separate Outputs',
		name: 'separateOutputs',
		type: 'boolean',
		default: false,
		description: 'Whether to give each kind of event its own output',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
];

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	...mainFields,
	...filterFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: asOptions([...registrationOptions, ...deliveryOptions]),
	},
];
