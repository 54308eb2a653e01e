import { webhookUrls } from '../steering.ts';
import { html, type Part } from './html.ts';
import { details, facts, live, moment, section } from './parts.ts';
import { maskedUrl } from './secrets.ts';
import type { View } from './view.ts';

const latest = 10;

interface Change {
	at: string;
	url: string;
	clientId: number;
}

/** Where events go, and where they went before. */
export const webhook = (view: View): Part => {
	const urls = [...webhookUrls(view.service)];
	const history = view.service.database.all<Change>(
		'SELECT at, url, clientId FROM webhookHistory ORDER BY id DESC LIMIT ?',
		latest,
	);
	const registered =
		urls.length === 0
			? html`<p class="empty">
					No URL is registered, so no event is delivered. In n8n, publish a workflow with the
					<strong>Messaging Service Trigger</strong>, or <a href="#service">register a URL</a>.
				</p>`
			: facts(
					urls.map(([clientId, url]) => [
						`Client ${String(clientId)}`,
						html`<code>${maskedUrl(url)}</code>`,
					]),
				);
	const past =
		history.length > 0 &&
		details(
			'webhook-history',
			'Latest registrations',
			html`<ol class="history">
				${history.map(
					({ at, url, clientId }) =>
						html`<li>
							${moment(view, at)} client ${clientId}
							${url === '' ? 'removed' : html`<code>${maskedUrl(url)}</code>`}
						</li>`,
				)}
			</ol>`,
		);
	const agreed = view.service.settings.current.clients.flatMap(({ clientId, agreedWebhookUrls }) =>
		agreedWebhookUrls === undefined
			? []
			: [
					html`<p>
						Agreed with the operator for client ${clientId}:
						${agreedWebhookUrls.length === 0 ? 'no URL' : agreedWebhookUrls.join(', ')}
					</p>`,
				],
	);
	return section(
		view,
		'webhook',
		'Webhook',
		live('webhook-live', html`${registered}${agreed}${past}`),
	);
};
