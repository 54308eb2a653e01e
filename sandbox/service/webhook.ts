import { utcText } from './clock.ts';
import { invalid } from './errors.ts';
import type { Handler } from './service.ts';
import type { Client } from './settings.ts';

const isWebUrl = (text: string): boolean =>
	URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Whether the operator knows the address: by default it need not (interface: "Events"). */
const isAgreed = (url: string, { agreedWebhookUrls }: Client): boolean =>
	agreedWebhookUrls === undefined || agreedWebhookUrls.some((agreed) => url.startsWith(agreed));

const update: Handler = ({ database, clock, deliveries }, { query, client }) => {
	const url = String(query.url);
	if (url !== '' && !isWebUrl(url)) {
		throw invalid({ WebHookUrl: ['The string is not in valid URL format.'] });
	}
	if (url !== '' && !isAgreed(url, client)) {
		throw invalid({ WebHookUrl: ['The URL has not been agreed with the operator.'] });
	}
	database.transaction(() => {
		if (url === '') database.change('DELETE FROM webhooks WHERE clientId = ?', client.clientId);
		else {
			database.change(
				'INSERT OR REPLACE INTO webhooks (clientId, url) VALUES (?, ?)',
				client.clientId,
				url,
			);
		}
		database.run(
			'INSERT INTO webhookHistory (at, url, clientId) VALUES (?, ?, ?)',
			utcText(clock.moment()),
			url,
			client.clientId,
		);
	});
	deliveries.wake();
	return { status: 204 };
};

/** Webhook registration (interface: "Endpoints", "Webhook registration"). */
export const webhookHandlers: Record<string, Handler> = {
	updateWebHook: update,
	updateWebHookInPath: update,
};
