import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { OUTCOMES, SMS_STATUSES, STAGES } from '../codes';
import { ALL_KINDS, codesIn, textsIn, type EventFilters } from './filters';

/** The settings of the trigger that decide what a delivery comes to. */
export interface TriggerSettings {
	/** The selected kinds of events. */
	kinds: string[];
	filters: EventFilters;
	/** Whether items are flat records, not the events as received. */
	isSimplified: boolean;
	/** Maximum number of events in an execution; undefined where each starts its own. */
	batchSize: number | undefined;
	/** Whether the user registers the URL: then the trigger never calls the service. */
	isManual: boolean;
}

const DEFAULT_BATCH_SIZE = 100;
const MAX_BATCH_SIZE = 1000;

type Context = IHookFunctions | IWebhookFunctions;
type Problem = [message: string, description: string];

/** A collection, which an expression may have made something else. */
function collection(context: Context, name: 'filters' | 'options'): Record<string, unknown> {
	const value = context.getNodeParameter(name, {});
	return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function readSettings(context: Context): TriggerSettings {
	const {
		batchEvents,
		batchSize = DEFAULT_BATCH_SIZE,
		registration,
	} = collection(context, 'options');
	return {
		kinds: textsIn(context.getNodeParameter('events', [])),
		filters: collection(context, 'filters'),
		isSimplified: context.getNodeParameter('simplify', true) !== false,
		batchSize: batchEvents === true ? Number(batchSize) : undefined,
		isManual: registration === 'manual',
	};
}

function pathProblem(context: Context): Problem | undefined {
	const path = String(context.getNodeParameter('path', '') ?? '').replace(/^\/|\/$/g, '');
	const isPlain = path.split('/').every((part) => /^[\w.~-]+$/.test(part) && !/^\.+$/.test(part));
	if (path === '' || isPlain) return undefined;
	return [
		`Path cannot be "${path.slice(0, 40)}"`,
		'Use letters, digits, hyphens, underscores and dots, with slashes between parts. n8n would not receive events at another path.',
	];
}

function eventsProblem({ kinds }: TriggerSettings): Problem | undefined {
	const allowed = `Allowed are ${ALL_KINDS.join(' and ')}.`;
	if (kinds.length === 0) return ['Trigger On is empty', allowed];
	const unknown = kinds.find((kind) => !ALL_KINDS.some((known) => known === kind));
	if (unknown === undefined) return undefined;
	return [`Trigger On cannot be "${unknown.slice(0, 40)}"`, allowed];
}

function filterProblem({ filters }: TriggerSettings): Problem | undefined {
	for (const [list, label, table] of [
		[filters.outcomes, 'Call Outcomes', OUTCOMES],
		[filters.stages, 'Call Stages', STAGES],
		[filters.statuses, 'SMS Statuses', SMS_STATUSES],
	] as const) {
		const unknown = codesIn(list).find((code) => table[Number(code)] === undefined);
		if (unknown === undefined) continue;
		const codes = Object.keys(table).join(', ');
		return [`${label} cannot be "${String(unknown).slice(0, 40)}"`, `Use the codes ${codes}.`];
	}
	return undefined;
}

function batchProblem(context: Context, { batchSize = 1 }: TriggerSettings): Problem | undefined {
	if (Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= MAX_BATCH_SIZE) {
		return undefined;
	}
	const given = String(collection(context, 'options').batchSize).slice(0, 20);
	return [`Batch Size cannot be "${given}"`, 'Use a whole number from 1 to 1,000.'];
}

/**
 * Checks the settings before n8n takes deliveries: a wrong one, perhaps from an expression, would
 * otherwise show only in events that never arrive.
 * @throws NodeOperationError that names the field
 */
export function assertSettings(context: IHookFunctions): void {
	const settings = readSettings(context);
	const problem =
		pathProblem(context) ??
		eventsProblem(settings) ??
		filterProblem(settings) ??
		batchProblem(context, settings);
	if (problem === undefined) return;
	const [message, description] = problem;
	throw new NodeOperationError(context.getNode(), message, { description });
}
