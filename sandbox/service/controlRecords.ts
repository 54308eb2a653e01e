import type { FastifyInstance } from 'fastify';
import { object, text, whole } from './controlSchema.ts';
import { problem } from './errors.ts';
import type { Service } from './service.ts';
import { summaryOf, webhookUrls } from './steering.ts';

interface ListQuery {
	method?: string;
	path?: string;
	operationId?: string;
	kind?: string;
	phoneNumber?: string;
	after?: number;
	limit: number;
}

/** What the sandbox holds: counts, requests, deliveries, webhook URLs and opt-outs. */
export const controlRecords = (service: Service, app: FastifyInstance): void => {
	const { clock, contract, database, deliveries, requests, settings } = service;

	app.get('/health', () => ({ status: 'ok', now: clock.nowIso() }));
	app.get('/summary', () => summaryOf(service));

	app.get<{ Querystring: ListQuery & { status?: number } }>(
		'/requests',
		{
			schema: {
				querystring: object({
					method: text,
					path: text,
					operationId: text,
					status: whole,
					after: whole,
					limit: { ...whole, default: 100 },
				}),
			},
		},
		({ query }) => {
			const { operationId } = query;
			if (operationId !== undefined) contract.checkOperationId(operationId, 'operationId');
			return requests.list(query);
		},
	);

	app.get<{ Querystring: ListQuery & { status?: string } }>(
		'/deliveries',
		{
			schema: {
				querystring: object({
					status: { enum: ['pending', 'acknowledged', 'failed', 'noUrl'] },
					kind: { enum: ['callAttempted', 'smsStatus', 'unknown'] },
					phoneNumber: text,
					after: whole,
					limit: { ...whole, default: 100 },
				}),
			},
		},
		({ query }) => deliveries.list(query),
	);

	app.post<{ Params: { id: number } }>(
		'/deliveries/:id/redeliver',
		{ schema: { params: object({ id: whole }) } },
		({ params: { id } }) => {
			if (!deliveries.sendAgain(id)) throw problem(404, 'There is no such finished delivery.');
			return deliveries.get(id);
		},
	);

	app.get('/webhook', () => ({
		url: webhookUrls(service).get(settings.defaultClient.clientId) ?? null,
		clients: Object.fromEntries(webhookUrls(service)),
		history: database.all('SELECT at, url, clientId FROM webhookHistory ORDER BY id'),
	}));

	app.get('/opt-outs', () => ({
		items: database.all('SELECT clientId, channel, phoneNumber, at FROM optOuts ORDER BY at'),
	}));

	app.get('/violations', () => ({ items: service.violations }));
};
