import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { digitsOf } from '../events/eventKey';
import type { DecodedEvent } from '../events/events';

/** The settings of the trigger that decide what a delivery comes to. */
export interface TriggerSettings {
	/** The selected kinds; with all of them selected, unknown ones pass as well. */
	kinds: readonly string[];
	/** The trigger's "Filters". An expression may give each as one value, a list or a text with commas. */
	filters: IDataObject;
	/** Whether items are flat records, not the events as received. */
	isSimplified: boolean;
	/** Maximum number of events in an execution; undefined where each starts its own. */
	batchSize: number | undefined;
	/** Whether the user registers the URL: then the trigger never calls the service. */
	isManual: boolean;
}

const DEFAULT_BATCH_SIZE = 100;

export const ALL_KINDS = ['callAttempted', 'smsStatus'] as const;

/** The filters of each kind of events, and the fields that they are about. */
const FILTERS = {
	callAttempted: { campaignIds: 'campaignId', outcomes: 'outcomeCode', stages: 'stageCode' },
	smsStatus: { statuses: 'statusCode' },
} as const;

export function readSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { batchEvents, batchSize = DEFAULT_BATCH_SIZE, registration } = options;
	return {
		kinds: textsIn(context.getNodeParameter('events', [])),
		filters: context.getNodeParameter('filters', {}) as IDataObject,
		isSimplified: context.getNodeParameter('simplify', true) !== false,
		batchSize: batchEvents === true ? Number(batchSize) : undefined,
		isManual: registration === 'manual',
	};
}

/** The entries of a list that a field or an expression gives. */
function textsIn(value: unknown): string[] {
	return String(value ?? '')
		.split(/[,;\n]+/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** An empty list lets everything pass; a value that is missing passes no list. */
function fits(list: readonly string[], value: unknown): boolean {
	return list.length === 0 || list.includes(String(value ?? ''));
}

/** Whether an event starts the workflow. Filters count for the kinds of events that have the field. */
export function isSelected(event: DecodedEvent, { kinds, filters }: TriggerSettings): boolean {
	const { event: kind, phoneNumber } = event;
	if (kind === 'unknown') return ALL_KINDS.every((each) => kinds.includes(each));
	if (!kinds.includes(kind)) return false;
	if (!fits(textsIn(filters.phoneNumbers).map(digitsOf), digitsOf(phoneNumber))) return false;
	return Object.entries(FILTERS[kind]).every(([filter, field]) =>
		fits(textsIn(filters[filter]), event[field]),
	);
}
