import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { secretsOf } from '../transport/secrets';
import { CREDENTIAL } from '../transport/service';
import { readSettings, type ServiceSettings } from '../transport/settings';
import { TOKEN_PARAMETER } from '../transport/webhookToken';
import { memoryOf, remember } from './memory';

/** A credential read for a delivery is used so long: a flood of deliveries costs one read a second. */
const CREDENTIAL_MS = 1000;

/** The credentials read lately, by their IDs. */
const recent = new Map<string, { read: Promise<ICredentialDataDecryptedObject>; until: number }>();

/**
 * Notes the token of the URL that is registered: it stays valid when the credential has another one.
 * Whether a token is needed at all, only the credential says.
 */
export function noteToken(context: IHookFunctions, token: string | undefined): void {
	const tokenDigest = token === undefined ? undefined : digestOf(token);
	remember(memoryOf(context), { tokenDigest });
}

/** The credential, read at most once a second. */
export async function recentCredential(
	context: IWebhookFunctions,
): Promise<ICredentialDataDecryptedObject> {
	const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const key = id ?? '';
	const known = recent.get(key);
	if (known !== undefined && known.until > Date.now()) return await known.read;
	const read = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	recent.set(key, { read, until: Date.now() + CREDENTIAL_MS });
	// One that cannot be read costs the service no other delivery.
	read.catch(() => recent.delete(key));
	return await read;
}

/** The token that a delivery carries. */
export function givenToken(context: IWebhookFunctions): string | undefined {
	const { [TOKEN_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
	return typeof given === 'string' ? given : undefined;
}

/**
 * Checks the token of a delivery.
 * @param needsToken whether the URL can be guessed
 * @returns the settings of the credential, or undefined where the token is missing or wrong
 */
export async function verify(
	context: IWebhookFunctions,
	needsToken: boolean,
): Promise<ServiceSettings | undefined> {
	const settings = readSettings(await recentCredential(context));
	if (settings.webhookToken === undefined) return needsToken ? undefined : settings;
	const { tokenDigest: registered } = memoryOf(context);
	const given = givenToken(context);
	// Both are compared, so that the time tells nothing.
	const isKnown = [digestOf(settings.webhookToken), registered]
		.map((digest) => digest !== undefined && hasDigest(given, digest))
		.includes(true);
	return isKnown ? settings : undefined;
}

/**
 * Signs what one process of n8n tells another, by the secrets of the trigger's credential.
 * @param path of the trigger that it is for
 * @returns undefined where the credential has no secret
 */
export function sign(
	credential: ICredentialDataDecryptedObject,
	path: string,
	text: string,
): string | undefined {
	const secrets = secretsOf(credential);
	if (secrets.length === 0) return undefined;
	return createHmac('sha256', JSON.stringify(secrets)).update(`${path}\n${text}`).digest('hex');
}

/** Whether a text was signed by this n8n. */
export async function isSigned(
	context: IWebhookFunctions,
	path: string,
	text: string,
	signature: string,
): Promise<boolean> {
	const expected = sign(await recentCredential(context), path, text);
	return expected !== undefined && hasDigest(signature, digestOf(expected));
}

/** What may be stored of a token, to recognize it. */
function digestOf(token: string): string {
	return createHash('sha256').update(token).digest('hex');
}

/** Compares in constant time, also texts of different lengths. */
function hasDigest(given: string | undefined, digest: string): boolean {
	const own = digestOf(given ?? '');
	return timingSafeEqual(Buffer.from(own, 'hex'), Buffer.from(digest, 'hex'));
}
