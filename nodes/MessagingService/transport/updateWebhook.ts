import { withClientId } from './clientId';
import type { ServiceClient } from './request';
import { webhookHolder } from './webhookHolder';

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
 * Registers or removes a URL for the user, and notes for the triggers of this process who holds it.
 * @param url the URL to register; empty removes the one that is registered
 * @param clientId of this call; without it, the credential's
 */
export async function updateWebhook(
	client: ServiceClient,
	url: string,
	clientId?: string,
): Promise<void> {
	await sendWebhookUrl(client, url, clientId);
	const { settings } = client;
	webhookHolder(settings.baseUrl, clientId ?? settings.clientId).noteSet(url);
}
