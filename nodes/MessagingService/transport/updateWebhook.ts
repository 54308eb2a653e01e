import { withClientId } from './clientId';
import type { PostRequest, ReadClient } from './request';
import { webhookHolder } from './webhookHolder';

/**
 * `POST /api/integrations/UpdateWebHook?url=` (interface, "Webhook registration").
 * @param url the URL to register; empty removes the one that is registered
 * @param clientId of this call; without it, the credential's
 */
export function webhookRequest(
	client: Pick<ReadClient, 'settings'>,
	url: string,
	clientId?: string,
): PostRequest {
	const path = '/api/integrations/UpdateWebHook';
	return withClientId(client, { method: 'POST', path, query: { url } }, clientId);
}

/**
 * Tells the triggers of this process that the user has registered or removed a URL.
 * @param clientId of this call; without it, the credential's
 */
export function noteWebhookUrl(
	{ settings }: Pick<ReadClient, 'settings'>,
	url: string,
	clientId = settings.clientId,
): void {
	webhookHolder(settings.baseUrl, clientId).noteSet(url);
}
