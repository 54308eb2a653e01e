import type { ReachOf } from '../reach';
import { withClientId } from './clientId';
import type { PostRequest, ReadClient } from './request';

/**
 * `POST /api/integrations/UpdateWebHook?url=` (interface, "Webhook registration").
 * @param url the URL to register; empty removes the one that is registered
 * @param clientId of this call; without it, the credential's
 */
export function webhookRequest(
	client: Pick<ReadClient, 'settings'>,
	url: string,
	clientId?: string,
): PostRequest<ReachOf<'events'>> {
	const request: PostRequest<ReachOf<'events'>> = {
		method: 'POST',
		path: '/api/integrations/UpdateWebHook',
		query: { url },
		reaches: { kind: 'events' },
		changes: clientId ?? client.settings.clientId,
	};
	return withClientId(client, request, clientId);
}
