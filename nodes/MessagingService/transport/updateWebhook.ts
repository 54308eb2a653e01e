import { withClientId } from './clientId';
import type { ServiceClient } from './request';

/**
 * `POST /api/integrations/UpdateWebHook?url=` (interface, "Webhook registration").
 * @param url the URL to register; empty removes the one that is registered
 */
export async function updateWebhook(client: ServiceClient, url: string): Promise<void> {
	await client.anything(
		withClientId(client, {
			method: 'POST',
			path: '/api/integrations/UpdateWebHook',
			query: { url },
		}),
	);
}
