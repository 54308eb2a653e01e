import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createHmac } from 'crypto';

/** The query parameter that carries the token in a registered URL. */
export const TOKEN_PARAMETER = 'token';

/** What is signed: always the same, so that the token can be worked out for any URL. */
const TOKEN_PURPOSE = 'messaging-service-webhook';

/**
 * The token that a webhook URL carries: an HMAC, so that the secret itself is never handed to the
 * service, to proxies or to their logs. Undefined when the credential has no Webhook Secret.
 */
export function webhookToken(credential: ICredentialDataDecryptedObject): string | undefined {
	const { webhookSecret } = credential;
	if (typeof webhookSecret !== 'string' || webhookSecret === '') return undefined;
	// As it is, spaces included: users work the token out with other tools.
	return createHmac('sha256', webhookSecret).update(TOKEN_PURPOSE).digest('hex');
}

/** The URL with the token, in place of a token that it carries already. */
export function withToken(url: string, token: string | undefined): string {
	if (token === undefined) return url;
	const result = new URL(url);
	result.searchParams.set(TOKEN_PARAMETER, token);
	return result.toString();
}
