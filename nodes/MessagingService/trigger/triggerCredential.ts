import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { accountName } from '../transport/webhookHolder';
import { webhookToken } from '../transport/webhookToken';
import { LimitedMap } from './limitedMap';

type CredentialContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** What the trigger needs to know of its credential. */
export interface TriggerCredential {
	/** The token that every delivery must carry; undefined when no secret is set. */
	token: string | undefined;
	baseUrl: string;
	/** Service and client: together they have one webhook URL. */
	account: string;
	/** IANA zone of the service's times without designator; empty for the workflow's. */
	timeZone: string;
}

/** A credential, and when it was read. */
interface RecentCredential {
	credential: Promise<TriggerCredential>;
	readAt: number;
}

const CREDENTIAL = 'messagingServiceApi';

/** How long a credential read for a delivery is used; a changed secret counts after that. */
const LIFETIME = 5000;

/** What is read anew where a delivery carries another token; so a flood of wrong ones costs little. */
const SHORTEST_LIFETIME = 1000;

const recent = new LimitedMap<string, RecentCredential>(500);

/** This node of this workflow, among all of this n8n. */
export function triggerKey(context: CredentialContext): string {
	return `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
}

export async function readCredential(context: CredentialContext): Promise<TriggerCredential> {
	const data = await context.getCredentials(CREDENTIAL);
	const text = (value: unknown) =>
		typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const baseUrl = text(data.baseUrl).replace(/\/+$/, '');
	return {
		token: webhookToken(data),
		baseUrl,
		account: accountName(baseUrl, text(data.clientId)),
		timeZone: data.serviceConventions === true ? text(data.serviceTimeZone) : '',
	};
}

/** The credential of a trigger has changed: the next delivery reads it. */
export function forgetCredential(trigger: string): void {
	recent.delete(trigger);
}

/**
 * The credential, from memory where it was read in the last seconds: n8n reads it from its
 * database and decrypts it each time it is asked.
 * @param key of the trigger
 * @param isDoubted whether a delivery failed verification: then one from the last second at most
 */
export async function recentCredential(
	context: IWebhookFunctions,
	key: string,
	isDoubted = false,
): Promise<TriggerCredential> {
	const known = recent.get(key);
	const lifetime = isDoubted ? SHORTEST_LIFETIME : LIFETIME;
	if (known !== undefined && Date.now() - known.readAt < lifetime) return await known.credential;
	const credential = readCredential(context);
	// Kept before it is there: deliveries that arrive meanwhile wait for this promise.
	recent.set(key, { credential, readAt: Date.now() });
	credential.catch(() => {
		recent.delete(key);
	});
	return await credential;
}
