import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { webhookToken } from '../transport/webhookToken';
import { LimitedMap } from './limitedMap';

/** What the trigger needs to know of its credential. */
export interface TriggerCredential {
	/** The token that every delivery must carry; undefined when no secret is set. */
	token: string | undefined;
	baseUrl: string;
	/** Service and client: together they have one webhook URL. */
	account: string;
}

const CREDENTIAL = 'messagingServiceApi';

/** How long a credential read for a delivery is used; a changed secret counts after that. */
const LIFETIME = 5000;

const recent = new LimitedMap<string, { credential: Promise<TriggerCredential>; until: number }>(
	500,
);

/** This node of this workflow, among all of this n8n. */
export function triggerKey(context: IHookFunctions | IWebhookFunctions): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}

export async function readCredential(
	context: IHookFunctions | IWebhookFunctions,
): Promise<TriggerCredential> {
	const data = await context.getCredentials(CREDENTIAL);
	const text = (value: unknown) =>
		typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const baseUrl = text(data.baseUrl).replace(/\/+$/, '');
	return {
		token: webhookToken(data),
		baseUrl,
		account: `${baseUrl.toLowerCase()} ${text(data.clientId)}`,
	};
}

/**
 * The credential, from memory where it was read in the last seconds: n8n reads it from its
 * database and decrypts it each time it is asked.
 */
export async function recentCredential(context: IWebhookFunctions): Promise<TriggerCredential> {
	const id = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	const key = `${triggerKey(context)}/${id}`;
	const known = recent.get(key);
	if (known !== undefined && known.until > Date.now()) return await known.credential;
	const credential = readCredential(context);
	// Kept before it is there: deliveries that arrive meanwhile wait for the same answer.
	recent.set(key, { credential, until: Date.now() + LIFETIME });
	credential.catch(() => recent.delete(key));
	return await credential;
}
