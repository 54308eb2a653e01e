import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { OUTCOMES, SMS_STATUSES, STAGES } from '../codes';
import type { BatchLimits } from './batching';
import { ALL_KINDS, codesIn, textsIn } from './filters';
import { allowlistEntries, parseNetwork } from './verification';

type TriggerContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** The members of "Options" about registering the webhook URL. */
export interface RegistrationOptions {
	registration: 'automatic' | 'manual';
	whileListening: 'sample' | 'redirect' | 'leave';
	/** Empty when none is named. */
	urlToRestore: string;
	whenUnpublished: 'keep' | 'remove' | 'replace';
	replacementUrl: string;
	/** 0: only publishing registers the URL. */
	renewEveryHours: number;
}

/** The members of "Options" about deliveries and what they output. */
export interface DeliveryOptions {
	/** How events are put together; undefined when each starts its own execution. */
	batch: BatchLimits | undefined;
	ipAllowlist: string;
	dropDuplicates: boolean;
	separateOutputs: boolean;
	responseMode: 'onReceived' | 'lastNode';
	/** Whether items are flat records, not the events as received. */
	isSimplified: boolean;
}

const DEFAULT_RENEWAL_HOURS = 6;
const MAX_RENEWAL_HOURS = 720;
const DEFAULT_BATCH_SIZE = 100;
const MAX_BATCH_SIZE = 1000;
const DEFAULT_WAIT = 1000;
const DEFAULT_IDLE_TIMEOUT = 100;
const MAX_WAIT = 20_000;

function collection(context: TriggerContext, name: 'filters' | 'options'): Record<string, unknown> {
	const value = context.getNodeParameter(name, {});
	return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

function choice<Value extends string>(value: unknown, allowed: readonly Value[]): Value {
	return allowed.find((each) => each === value) ?? (allowed[0] as Value);
}

/** A number within its limits; the default where it is none. */
function number(value: unknown, fallback: number, max: number): number {
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const given = isGiven ? Number(value) : fallback;
	return Number.isFinite(given) && given >= 0 ? Math.min(given, max) : fallback;
}

export function registrationOptions(context: TriggerContext): RegistrationOptions {
	const options = collection(context, 'options');
	return {
		registration: choice(options.registration, ['automatic', 'manual']),
		whileListening: choice(options.whileListening, ['sample', 'redirect', 'leave']),
		urlToRestore: text(options.urlToRestore),
		whenUnpublished: choice(options.whenUnpublished, ['remove', 'keep', 'replace']),
		replacementUrl: text(options.replacementUrl),
		renewEveryHours: number(options.renewEveryHours, DEFAULT_RENEWAL_HOURS, MAX_RENEWAL_HOURS),
	};
}

export function deliveryOptions(context: TriggerContext): DeliveryOptions {
	const options = collection(context, 'options');
	return {
		batch:
			options.batchEvents === true
				? {
						size: Math.max(
							1,
							Math.floor(number(options.batchSize, DEFAULT_BATCH_SIZE, MAX_BATCH_SIZE)),
						),
						milliseconds: number(options.maxWait, DEFAULT_WAIT, MAX_WAIT),
						quietMilliseconds: number(options.idleTimeout, DEFAULT_IDLE_TIMEOUT, MAX_WAIT),
					}
				: undefined,
		// Only separators are no addresses, but not nothing either: they let nobody in.
		ipAllowlist: textsIn(options.ipAllowlist).join(',') || text(options.ipAllowlist),
		dropDuplicates: options.dropDuplicates === true,
		separateOutputs: options.separateOutputs === true,
		responseMode: choice(options.responseMode, ['onReceived', 'lastNode']),
		isSimplified: options.simplify !== false,
	};
}

/** The Path without the slashes around it. */
export function pathOf(context: TriggerContext): string {
	const path: unknown = context.getNodeParameter('path', '');
	const isGiven = typeof path === 'string' || typeof path === 'number';
	return (isGiven ? String(path) : '').replace(/^\/|\/$/g, '');
}

type Problem = [message: string, description: string];

function pathProblem(context: TriggerContext): Problem | undefined {
	const path = pathOf(context);
	if (path === '') return ['Path is empty', 'Set a Path, e.g. messaging-service.'];
	const isPlain = /^[\w.~-]+(\/[\w.~-]+)*$/.test(path);
	if (isPlain && !path.split('/').some((part) => /^\.+$/.test(part))) return undefined;
	return [
		`Path cannot be "${path.slice(0, 40)}"`,
		'Use letters, digits, hyphens, underscores and dots, with slashes between parts. n8n would not receive events at another path.',
	];
}

function eventsProblem(context: TriggerContext): Problem | undefined {
	const kinds = textsIn(context.getNodeParameter('events', []));
	const allowed = `Allowed are ${ALL_KINDS.join(' and ')}.`;
	if (kinds.length === 0) return ['Trigger On is empty', allowed];
	const unknown = kinds.find((kind) => !ALL_KINDS.some((known) => known === kind));
	return unknown === undefined
		? undefined
		: [`Trigger On cannot be "${unknown.slice(0, 40)}"`, allowed];
}

function filterProblem(context: TriggerContext): Problem | undefined {
	const filters = collection(context, 'filters');
	for (const [name, label, table] of [
		['outcomes', 'Call Outcomes', OUTCOMES],
		['stages', 'Call Stages', STAGES],
		['statuses', 'SMS Statuses', SMS_STATUSES],
	] as const) {
		const unknown = codesIn(filters[name]).find((code) => table[Number(code)] === undefined);
		if (unknown !== undefined) {
			const codes = Object.keys(table).join(', ');
			return [`${label} cannot be "${String(unknown).slice(0, 40)}"`, `Use the codes ${codes}.`];
		}
	}
	return undefined;
}

function numberProblem(
	value: unknown,
	label: string,
	{ min, max, whole = true }: { min: number; max: number; whole?: boolean },
): Problem | undefined {
	if (value === undefined || value === '') return undefined;
	const given = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
	const fits = given >= min && given <= max && (!whole || Number.isInteger(given));
	if (fits) return undefined;
	const kind = whole ? 'a whole number' : 'a number';
	return [
		`${label} cannot be "${String(value).slice(0, 20)}"`,
		`Use ${kind} from ${min} to ${max.toLocaleString('en')}.`,
	];
}

function deliveryProblem(context: TriggerContext): Problem | undefined {
	const options = collection(context, 'options');
	const entries = allowlistEntries(textsIn(options.ipAllowlist).join(','));
	if (entries.length === 0 && text(options.ipAllowlist) !== '') {
		return ['Allowed IP Addresses contains no address', 'Enter one, or remove the option.'];
	}
	const invalid = entries.find((entry) => parseNetwork(entry) === undefined);
	if (invalid !== undefined) {
		return [
			`Allowed IP Addresses contains "${invalid.slice(0, 40)}"`,
			'Use IP addresses and networks such as 203.0.113.7 or 198.51.100.0/24, separated by commas. Host names are not possible.',
		];
	}
	const wait = { min: 0, max: MAX_WAIT };
	return (
		numberProblem(options.batchSize, 'Batch Size', { min: 1, max: MAX_BATCH_SIZE }) ??
		numberProblem(options.maxWait, 'Max Wait', wait) ??
		numberProblem(options.idleTimeout, 'Idle Timeout', wait)
	);
}

function registrationProblem(context: TriggerContext): Problem | undefined {
	const { renewEveryHours } = collection(context, 'options');
	const hours = { min: 0, max: MAX_RENEWAL_HOURS, whole: false };
	const { whenUnpublished, replacementUrl } = registrationOptions(context);
	if (whenUnpublished === 'replace' && replacementUrl === '') {
		return [
			'Replacement URL is empty',
			'Set the URL to register when the workflow is unpublished, or choose another value of When Unpublished.',
		];
	}
	return numberProblem(renewEveryHours, 'Renew Every (Hours)', hours);
}

function throwProblem(context: TriggerContext, [message, description]: Problem): never {
	throw new NodeOperationError(context.getNode(), message, { description });
}

/**
 * Checks that there is a Path: without one, n8n publishes the workflow with no webhook, and calls none
 * of its hooks.
 * @throws NodeOperationError
 */
export function assertPath(context: ITriggerFunctions): void {
	const problem = pathOf(context) === '' ? pathProblem(context) : undefined;
	if (problem !== undefined) throwProblem(context, problem);
}

/**
 * Checks the settings before n8n takes deliveries: most problems would otherwise show only in events
 * that are refused or never arrive.
 * @throws NodeOperationError that names the field
 */
export function assertSettings(context: IHookFunctions): void {
	for (const find of [
		pathProblem,
		eventsProblem,
		filterProblem,
		deliveryProblem,
		registrationProblem,
	]) {
		const problem = find(context);
		if (problem !== undefined) throwProblem(context, problem);
	}
}
