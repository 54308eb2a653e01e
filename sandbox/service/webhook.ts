import { utcText } from './clock.ts';
import { invalid } from './errors.ts';
import type { Handler } from './service.ts';

const isWebUrl = (text: string): boolean =>
	URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

const update: Handler = ({ database, clock, deliveries }, { query, client }) => {
	const url = String(query.url);
	if (url !== '' && !isWebUrl(url)) {
		throw invalid({ WebHookUrl: ['The string is not in valid URL format.'] });
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
		database.insert('webhookHistory', {
			at: utcText(clock.moment()),
			url,
			clientId: client.clientId,
		});
	});
	deliveries.wake();
	return { status: 204 };
};

/** Webhook registration (interface: "Endpoints", "Webhook registration"). */
export const webhookHandlers: Record<string, Handler> = {
	updateWebHook: update,
	updateWebHookInPath: update,
};
