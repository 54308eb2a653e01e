import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { entriesIn } from '../events/decode';
import type { DecodedEvent } from '../events/events';
import { passesFilters } from '../events/filters';

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
	/** Whether the user registers the URL: then the trigger never calls the service. */
	isManual: boolean;
}

/** The kinds of the first version. Who has selected both gets every other kind as well. */
const FIRST_KINDS = ['callAttempted', 'smsStatus'] as const;

export function readTriggerSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { batchEvents, batchSize = 100, registration } = options;
	return {
		kinds: entriesIn(context.getNodeParameter('events', [])),
		filters: context.getNodeParameter('filters', {}) as IDataObject,
		isSimplified: context.getNodeParameter('simplify', true) !== false,
		batchSize: batchEvents === true ? Number(batchSize) : undefined,
		isManual: registration === 'manual',
	};
}

/** Whether an event starts the workflow. */
export function isSelected(event: DecodedEvent, { kinds, filters }: TriggerSettings): boolean {
	const isWanted = kinds.includes(event.event) || FIRST_KINDS.every((kind) => kinds.includes(kind));
	return isWanted && passesFilters(event, filters);
}
