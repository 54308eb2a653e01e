import { createHash, timingSafeEqual } from 'crypto';
import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { CREDENTIAL } from '../transport/service';
import { readSettings, type ServiceSettings } from '../transport/settings';
import { TOKEN_PARAMETER } from '../transport/webhookToken';

/** How long the token of a changed Webhook Secret is accepted: deliveries to the old URL are in progress. */
const GRACE_MS = 600_000;

/** A credential read for a delivery is used so long: a flood of deliveries costs one read a second. */
const CREDENTIAL_MS = 1000;

/**
 * What publishing and starting write into the static data of the trigger: the token that the service
 * has, also where the credential has another one by now. Whether a token is needed at all, only the
 * credential says.
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
}

/**
 * The newest memory of each trigger that this process knows: n8n saves the static data of a workflow
 * as a whole. A poll trigger beside this one that was not published again writes an older one back.
 */
const newest = new Map<string, TriggerMemory>();

/** The credentials read lately, by their IDs. */
const recent = new Map<string, { read: Promise<ServiceSettings>; until: number }>();

/** This node of this workflow, among all of this n8n. */
export function triggerKey(
	context: IHookFunctions | ITriggerFunctions | IWebhookFunctions,
): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}

/** What is stored of the trigger; changes are stored with the workflow. */
export function memoryOf(context: IHookFunctions | IWebhookFunctions): TriggerMemory {
	return context.getWorkflowStaticData('node');
}

/** Notes the token of the URL that is about to be registered. */
export function noteToken(context: IHookFunctions, { webhookToken }: ServiceSettings): void {
	const memory = memoryOf(context);
	const digest = webhookToken === undefined ? undefined : digestOf(webhookToken);
	if (memory.tokenDigest !== undefined && memory.tokenDigest !== digest) {
		memory.previousDigest = memory.tokenDigest;
		memory.previousUntil = Date.now() + GRACE_MS;
	}
	if (digest === undefined) delete memory.tokenDigest;
	else memory.tokenDigest = digest;
	memory.writtenAt = Date.now();
	newest.set(triggerKey(context), { ...memory });
}

function newestMemory(context: IWebhookFunctions): TriggerMemory {
	const key = triggerKey(context);
	const stored = memoryOf(context);
	const known = newest.get(key);
	if (known !== undefined && (known.writtenAt ?? 0) >= (stored.writtenAt ?? 0)) return known;
	newest.set(key, { ...stored });
	return stored;
}

/** The credential, read at most once a second. */
async function recentCredential(context: IWebhookFunctions): Promise<ServiceSettings> {
	const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const key = id ?? '';
	const known = recent.get(key);
	if (known !== undefined && known.until > Date.now()) return await known.read;
	const read = context.getCredentials(CREDENTIAL).then(readSettings);
	recent.set(key, { read, until: Date.now() + CREDENTIAL_MS });
	// One that cannot be read costs the service no other delivery.
	read.catch(() => recent.delete(key));
	return await read;
}

/**
 * Checks the token of a delivery.
 * @returns the settings of the credential, or undefined where the token is missing or wrong
 */
export async function verify(context: IWebhookFunctions): Promise<ServiceSettings | undefined> {
	const { [TOKEN_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
	const settings = await recentCredential(context);
	if (settings.webhookToken === undefined) return settings;
	const { tokenDigest: registered, previousDigest, previousUntil = 0 } = newestMemory(context);
	const previous = previousUntil > Date.now() ? previousDigest : undefined;
	// All are compared, so that the time tells nothing.
	const isKnown = [digestOf(settings.webhookToken), registered, previous]
		.map((digest) => digest !== undefined && hasDigest(given, digest))
		.includes(true);
	return isKnown ? settings : undefined;
}

/** What may be stored of a token, to recognize it. */
function digestOf(token: string): string {
	return createHash('sha256').update(token).digest('hex');
}

/** Compares in constant time, also texts of different lengths. */
function hasDigest(given: unknown, digest: string): boolean {
	const own = digestOf(typeof given === 'string' ? given : '');
	return timingSafeEqual(Buffer.from(own, 'hex'), Buffer.from(digest, 'hex'));
}
