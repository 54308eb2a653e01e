import { withClientId } from './clientId';
import type { ServiceClient } from './request';
import { accountName, claimWithUrl, inTurn, latestTime, noteRegistered } from './webhookHolder';

/**
 * `POST /api/integrations/UpdateWebHook?url=` (interface, "Webhook registration"), and nothing else.
 * @param url the URL to register; empty removes the one that is registered
 */
export async function sendWebhookUrl(
	client: ServiceClient,
	url: string,
	clientId?: string,
): Promise<void> {
	const path = '/api/integrations/UpdateWebHook';
	await client.anything(withClientId(client, { method: 'POST', path, query: { url } }, clientId));
}

/**
 * Registers or removes a URL for the user, and tells the triggers of this process who has the
 * URL now.
 * @param url the URL to register; empty removes the one that is registered
 * @param clientId of this call; without it, the credential's
 */
export async function updateWebhook(
	client: ServiceClient,
	url: string,
	clientId?: string,
): Promise<void> {
	const account = accountName(client.settings.baseUrl, clientId ?? client.settings.clientId);
	await inTurn(account, async () => {
		await sendWebhookUrl(client, url, clientId);
		const claim = claimWithUrl(account, url);
		noteRegistered(account, claim === undefined ? { url } : { trigger: claim.trigger });
		if (claim === undefined) return;
		claim.since = latestTime();
		// Its timer registers it again, in case the token is missing.
		claim.dueAt = Date.now();
	});
}
