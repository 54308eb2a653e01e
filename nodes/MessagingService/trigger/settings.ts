import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { textsIn, type Selection } from './filters';

/** The settings of the trigger that decide what a delivery comes to. */
export interface TriggerSettings extends Selection {
	/** Whether items are flat records, not the events as received. */
	isSimplified: boolean;
	/** Maximum number of events in an execution; undefined where each starts its own. */
	batchSize: number | undefined;
	/** Whether the user registers the URL: then the trigger never calls the service. */
	isManual: boolean;
}

const DEFAULT_BATCH_SIZE = 100;

type Context = IHookFunctions | IWebhookFunctions;

export function readSettings(context: Context): TriggerSettings {
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

/**
 * Refuses a Path at which n8n would not receive the events.
 * @throws NodeOperationError
 */
export function assertPath(context: IHookFunctions): void {
	const path = String(context.getNodeParameter('path', '') ?? '').replace(/^\/|\/$/g, '');
	const isPlain = path.split('/').every((part) => /^[\w.~-]+$/.test(part) && !/^\.+$/.test(part));
	if (path === '' || isPlain) return;
	throw new NodeOperationError(context.getNode(), `Path cannot be "${path.slice(0, 40)}"`, {
		description:
			'Use letters, digits, hyphens, underscores and dots, with slashes between parts. n8n would not receive events at another path.',
	});
}
