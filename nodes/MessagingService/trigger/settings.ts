import type { IDataObject, IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { eventFiltersOf, passesFilters } from '../events/filters';
import { kindOptions, SERVICE_KINDS } from '../events/kinds';
import { asOptions, optionsField } from '../resources/shared/fields';
import type { DecodedEvent } from '../events/events';
import { entriesIn } from '../texts';

const mainFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		noDataExpression: true,
		options: kindOptions(SERVICE_KINDS),
		default: ['callAttempted', 'smsStatus'],
		required: true,
		description:
			'Which events start the workflow. With Call Attempted and SMS Status, events of all other kinds start it as well.',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
];

const optionFields: INodeProperties[] = [
	{
		displayName: 'Batch Events',
		name: 'batchEvents',
		type: 'boolean',
		default: false,
		description:
			'Whether to start one execution for several events that arrive within a second instead of one for each. The service gets its response once n8n has stored that execution.',
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
		displayName: 'Path',
		name: 'path',
		type: 'string',
		// n8n reads the paths of webhooks in options as they are.
		noDataExpression: true,
		default: '',
		placeholder: 'Usually left empty',
		description:
			'Last part of the webhook URL, if you have agreed on one with the service operator. If empty, n8n uses a random one that nobody can guess. A Path can be guessed, so it needs a Webhook Secret in the credential.',
	},
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'The trigger registers its URL on publishing and on every start of n8n',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: 'You register URLs: the trigger never calls the service',
			},
		],
		default: 'automatic',
		description: 'Who registers the webhook URL with the service',
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
];

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	...mainFields,
	{
		...eventFiltersOf(SERVICE_KINDS),
		description: 'Which of the events start the workflow. Others are acknowledged with 200.',
	},
	optionsField(asOptions(optionFields)),
];

/** The settings of the trigger that decide what a delivery comes to. */
export interface TriggerSettings {
	/** The selected kinds. */
	kinds: readonly string[];
	/** The trigger's "Filters". An expression may give each as one value, a list or a text with commas. */
	filters: IDataObject;
	/** Whether items are flat records, not the events as received. */
	isSimplified: boolean;
	/** Maximum number of events in an execution; undefined where each starts its own. */
	batchSize: number | undefined;
	/** Whether the user registers URLs: then the trigger never calls the service. */
	isManual: boolean;
	/** Last part of the webhook URL. */
	path: string;
	/** Whether the user has chosen it: then it can be guessed. */
	hasOwnPath: boolean;
}

/** The kinds of the first version. Who has selected both gets every other kind as well. */
const FIRST_KINDS = ['callAttempted', 'smsStatus'] as const;

/** The settings of the trigger's node, as they are: publishing checks Path and Filters. */
export function readTriggerSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { batchEvents, batchSize = 100, registration } = options;
	const { path: ownPath } = (context.getNode().parameters.options ?? {}) as IDataObject;
	const path = String(ownPath ?? '');
	return {
		kinds: entriesIn(context.getNodeParameter('events', [])),
		filters: context.getNodeParameter('filters', {}) as IDataObject,
		isSimplified: context.getNodeParameter('simplify', true) !== false,
		batchSize: batchEvents === true ? Number(batchSize) : undefined,
		isManual: registration === 'manual',
		path: path === '' ? (context.getNode().webhookId ?? '') : path,
		hasOwnPath: path !== '',
	};
}

/** Whether a trigger with these kinds wants an event of a kind. */
export function isWanted(kind: string, kinds: readonly string[]): boolean {
	return kinds.includes(kind) || FIRST_KINDS.every((each) => kinds.includes(each));
}

/** Whether an event starts the workflow. @param country Default Country of the credential */
export function isSelected(
	event: DecodedEvent,
	{ kinds, filters }: TriggerSettings,
	country: string,
): boolean {
	return isWanted(event.event, kinds) && passesFilters(event, filters, country);
}
