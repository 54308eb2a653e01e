import { withClientId } from './clientId';
import type { ServiceClient } from './request';

/**
 * `POST /api/integrations/UpdateWebHook?url=` (interface, "Webhook registration").
 * @param url the URL to register; empty removes the one that is registered
 * @param clientId of this call; without it, the credential's
 */
export async function updateWebhook(
	client: ServiceClient,
	url: string,
	clientId?: string,
): Promise<void> {
	const path = '/api/integrations/UpdateWebHook';
	await client.anything(withClientId(client, { method: 'POST', path, query: { url } }, clientId));
}
