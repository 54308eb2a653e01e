import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { controlRecords } from './controlRecords.ts';
import { controlTime } from './controlTime.ts';
import { refuseOtherSites } from './otherSites.ts';
import { sampleEvent, type EventRequest } from './sampleEvents.ts';
import { object, schemaProblem } from './schemas.ts';
import type { Service } from './service.ts';
import { summaryOf } from './summary.ts';

const longestWait = 600;
const timeout = { type: 'number', default: 60, maximum: longestWait };

/** Refuses other sites, and parameters and members that a route does not name. */
const refuseUnknown = (app: FastifyInstance): void => {
	app.addHook('onRequest', refuseOtherSites);
	app.addHook('onRoute', (route) => {
		route.schema = { querystring: object({}), ...route.schema };
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

/** How the sandbox behaves: settings and faults. */
const behavior = ({ deliveries, faults, settings }: Service, app: FastifyInstance): void => {
	app.get('/settings', () => settings.current);
	app.patch('/settings', ({ body }) => {
		const changed = settings.change(body);
		deliveries.wake();
		return changed;
	});
	app.get('/faults', () => ({ items: faults.list() }));
	app.post('/faults', ({ body }, reply) => reply.code(201).send(faults.add(body)));
	app.delete('/faults', (_request, reply) => {
		faults.clear();
		return reply.code(204).send();
	});
};

/** Waits until something holds; whether it came to hold in time. */
const waitFor = async (holds: () => boolean, timeoutSeconds: number): Promise<boolean> => {
	const end = Date.now() + timeoutSeconds * 1000;
	while (!holds()) {
		if (Date.now() >= end) return false;
		await pause(20);
	}
	return true;
};

/** Delivering events that somebody makes up. */
const events = (service: Service, app: FastifyInstance): void => {
	const { deliveries } = service;
	const members = {
		webHookType: { type: 'integer' },
		data: { type: 'object' },
		clientId: { type: 'integer' },
	};
	app.post<{ Querystring: { wait: boolean; timeout: number }; Body: EventRequest | undefined }>(
		'/events',
		{
			schema: {
				body: { ...object(members), type: ['object', 'null'] },
				querystring: object({ wait: { type: 'boolean', default: false }, timeout }),
			},
		},
		async ({ query, body }) => {
			const id = sampleEvent(service, body ?? {});
			const isDone = () => deliveries.get(id)?.status !== 'pending';
			if (query.wait) await waitFor(isDone, query.timeout);
			return deliveries.get(id);
		},
	);
};

/** The control API: looking into the sandbox and steering it, without authentication. */
export const control =
	(service: Service) =>
	(app: FastifyInstance, _options: object, done: () => void): void => {
		refuseUnknown(app);
		controlRecords(service, app);
		controlTime(service, app);
		behavior(service, app);
		events(service, app);
		app.post('/reset', (_request, reply) => {
			service.reset();
			return reply.code(204).send();
		});
		app.get<{ Querystring: { timeout: number } }>(
			'/idle',
			{ schema: { querystring: object({ timeout }) } },
			async ({ query }) => {
				const idle = await waitFor(() => !service.deliveries.hasPending(), query.timeout);
				return { idle, ...summaryOf(service) };
			},
		);
		done();
	};
