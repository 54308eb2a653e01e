import type { ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { controlTime } from './controlTime.ts';
import { controlTruth } from './controlTruth.ts';
import { problem } from './errors.ts';
import { refuseOtherSites } from './otherSites.ts';
import { schemaProblem } from './schemaProblem.ts';
import type { Service } from './service.ts';
import {
	addEvent,
	changeSettings,
	summaryOf,
	waitFor,
	webhookUrls,
	type EventRequest,
} from './steering.ts';

const longestWait = 600;
const nothing = { type: ['object', 'null'], additionalProperties: false };
const text = { type: 'string', minLength: 1 };
const whole = { type: 'integer', minimum: 0 };
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	properties,
	required,
});

/** Routes that check their bodies themselves. */
const takesAnyBody = new Set(['/faults']);

interface ListQuery {
	method?: string;
	path?: string;
	operationId?: string;
	kind?: string;
	phoneNumber?: string;
	after?: number;
	limit: number;
}

/** The control API: looking into the sandbox and steering it, without authentication. */
export const control =
	(service: Service) =>
	(app: FastifyInstance): void => {
		const { clock, database, deliveries, faults, requests, settings, simulation } = service;

		app.addHook('onRequest', refuseOtherSites);
		app.addHook('onRoute', (route) => {
			const { method, schema = {} } = route;
			const takesBody = method === 'POST' && !takesAnyBody.has(route.routePath);
			route.schema = {
				querystring: object({}),
				...(takesBody ? { body: nothing } : {}),
				...schema,
			};
		});
		app.setSchemaErrorFormatter(
			(errors, part) => new Error(schemaProblem(errors as ErrorObject[], part)),
		);
		app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
			const { statusCode = 500, message } = error;
			if (statusCode >= 500) console.error(error);
			return reply.code(statusCode).send({ message });
		});

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
			({ query }) => requests.list(query),
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

		app.post<{
			Querystring: { wait: boolean; timeout: number };
			Body: EventRequest | undefined;
		}>(
			'/events',
			{
				schema: {
					body: {
						...object({
							webHookType: { type: 'integer' },
							data: { type: 'object' },
							clientId: { type: 'integer' },
						}),
						type: ['object', 'null'],
					},
					querystring: object({
						wait: { type: 'boolean', default: false },
						timeout: { type: 'number', default: 60, maximum: longestWait },
					}),
				},
			},
			async ({ query, body }) => {
				const id = addEvent(service, body ?? {});
				if (query.wait) {
					await waitFor(() => deliveries.get(id)?.status !== 'pending', query.timeout);
				}
				return deliveries.get(id);
			},
		);

		controlTime(service, app);
		controlTruth(service, app);

		app.get('/settings', () => settings.current);
		app.patch('/settings', ({ body }) => changeSettings(service, body));

		app.get('/faults', () => ({ items: faults.list() }));
		app.post('/faults', ({ body }, reply) => reply.code(201).send(faults.add(body)));
		app.delete('/faults', (_request, reply) => {
			faults.clear();
			return reply.code(204).send();
		});
		app.delete<{ Params: { id: number } }>(
			'/faults/:id',
			{ schema: { params: object({ id: whole }) } },
			({ params: { id } }, reply) => {
				if (!faults.clear(id)) throw problem(404, `There is no fault ${String(id)}.`);
				return reply.code(204).send();
			},
		);

		app.get('/violations', () => ({ items: service.violations }));
		app.post('/reset', (_request, reply) => {
			service.reset();
			return reply.code(204).send();
		});

		app.get<{ Querystring: { timeout: number } }>(
			'/idle',
			{
				schema: {
					querystring: object({ timeout: { type: 'number', default: 60, maximum: longestWait } }),
				},
			},
			async ({ query: { timeout } }) => {
				const idle = await waitFor(() => !simulation.isBusy && !deliveries.hasPending(), timeout);
				return { idle, ...summaryOf(service) };
			},
		);
	};
