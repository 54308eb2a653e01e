import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { CREDENTIAL } from '../transport/service';
import { readSettings, type ServiceSettings } from '../transport/settings';
import { hasDigest, TOKEN_PARAMETER, tokenDigest } from '../transport/webhookToken';

/** How long the token of a changed Webhook Secret is accepted: deliveries to the old URL are in progress. */
const GRACE_MILLISECONDS = 600_000;

/** A credential read for a delivery is used so long: a flood of wrong tokens costs one read a second. */
const CREDENTIAL_MILLISECONDS = 1000;

/**
 * What publishing and starting write into the static data of the trigger, so that a delivery reads
 * no credential. That no token is needed is never written: only the credential says so.
 */
export interface TriggerMemory extends IDataObject {
	/** When the workflow was published, in milliseconds. */
	publishedAt?: number;
	/** When this was written, in milliseconds. */
	writtenAt?: number;
	/** Digest of the token that the registered URL carries. */
	tokenDigest?: string;
	/** Digest of the token before it, which is accepted until `previousUntil`. */
	previousDigest?: string;
	previousUntil?: number;
	/** The Service Time Zone of the credential; empty for the workflow's. */
	timeZone?: string;
}

/**
 * The newest memory of each trigger that this process knows: n8n saves the static data of a workflow
 * as a whole, so another node of the workflow can write an older one back.
 */
const newest = new Map<string, TriggerMemory>();

const credentials = new Map<string, { read: Promise<ServiceSettings>; until: number }>();

/** This node of this workflow, among all of this n8n. */
export function triggerKey(
	context: IHookFunctions | ITriggerFunctions | IWebhookFunctions,
): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}

export function memoryOf(context: IHookFunctions | IWebhookFunctions): TriggerMemory {
	return context.getWorkflowStaticData('node');
}

/** Writes what deliveries need to know of the credential. */
export function noteCredential(
	context: IHookFunctions,
	{ webhookToken, timeZone }: ServiceSettings,
): void {
	const memory = memoryOf(context);
	const digest = webhookToken === undefined ? undefined : tokenDigest(webhookToken);
	if (memory.tokenDigest !== undefined && memory.tokenDigest !== digest) {
		memory.previousDigest = memory.tokenDigest;
		memory.previousUntil = Date.now() + GRACE_MILLISECONDS;
	}
	if (digest === undefined) delete memory.tokenDigest;
	else memory.tokenDigest = digest;
	memory.timeZone = timeZone;
	memory.writtenAt = Date.now();
	newest.set(triggerKey(context), { ...memory });
	credentials.delete(triggerKey(context));
}

function newestMemory(context: IWebhookFunctions): TriggerMemory {
	const key = triggerKey(context);
	const stored = memoryOf(context);
	const known = newest.get(key);
	if (known !== undefined && (known.writtenAt ?? 0) >= (stored.writtenAt ?? 0)) return known;
	newest.set(key, { ...stored });
	return stored;
}

function isKnown(memory: TriggerMemory, given: unknown): boolean {
	const { tokenDigest: current, previousDigest, previousUntil = 0 } = memory;
	const digests = [current, previousUntil > Date.now() ? previousDigest : undefined];
	// Both are compared, so that the time tells nothing.
	return digests.map((digest) => digest !== undefined && hasDigest(given, digest)).includes(true);
}

/** The credential, read at most once a second for each trigger. */
async function recentCredential(context: IWebhookFunctions, key: string): Promise<ServiceSettings> {
	const known = credentials.get(key);
	if (known !== undefined && known.until > Date.now()) return await known.read;
	const read = context.getCredentials(CREDENTIAL).then(readSettings);
	credentials.set(key, { read, until: Date.now() + CREDENTIAL_MILLISECONDS });
	return await read;
}

/**
 * Checks the token of a delivery. The credential is read only where the token is not known.
 * @returns the Service Time Zone of the credential, or undefined where the token is missing or wrong
 */
export async function verify(
	context: IWebhookFunctions,
): Promise<Pick<ServiceSettings, 'timeZone'> | undefined> {
	const { [TOKEN_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
	const isTest = context.getMode() === 'manual';
	// What a draft's credential says counts for its tests only.
	const key = isTest ? `${triggerKey(context)}/test` : triggerKey(context);
	if (!isTest) {
		const memory = newestMemory(context);
		if (isKnown(memory, given)) return { timeZone: memory.timeZone ?? '' };
	}
	const { webhookToken, timeZone } = await recentCredential(context, key);
	const isAccepted = webhookToken === undefined || hasDigest(given, tokenDigest(webhookToken));
	return isAccepted ? { timeZone } : undefined;
}
