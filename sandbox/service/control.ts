import type { ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { controlBehavior } from './controlBehavior.ts';
import { controlRecords } from './controlRecords.ts';
import { object } from './controlSchema.ts';
import { controlTime } from './controlTime.ts';
import { controlTruth } from './controlTruth.ts';
import { refuseOtherSites } from './otherSites.ts';
import { schemaProblem } from './schemaProblem.ts';
import type { Service } from './service.ts';
import { addEvent, summaryOf, waitFor, type EventRequest } from './steering.ts';

const longestWait = 600;
const nothing = { type: ['object', 'null'], additionalProperties: false };

/** Routes that check their bodies themselves. */
const takesAnyBody = new Set(['/faults']);

/** Refuses other sites, and parameters and members that a route does not name. */
const refuseUnknown = (app: FastifyInstance): void => {
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
};

/** The control API: looking into the sandbox and steering it, without authentication. */
export const control =
	(service: Service) =>
	(app: FastifyInstance): void => {
		const { deliveries, simulation } = service;

		refuseUnknown(app);
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

		controlRecords(service, app);
		controlTime(service, app);
		controlTruth(service, app);
		controlBehavior(service, app);

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
