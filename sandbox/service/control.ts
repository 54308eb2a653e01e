import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { utcText } from './clock.ts';
import { controlRecords } from './controlRecords.ts';
import { problem } from './errors.ts';
import { faultSchema, type FaultRequest } from './faults.ts';
import { sampleEvent, type EventRequest } from './sampleEvents.ts';
import { object, schemaProblem } from './schemas.ts';
import type { Service } from './service.ts';
import { settingsSchema, type SettingsChange } from './settings.ts';
import { summaryOf } from './summary.ts';

/** Refuses parameters and members that a route does not name. */
const refuseUnknown = (app: FastifyInstance): void => {
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

/** Logins and their tokens. */
const logins = ({ tokens }: Service, app: FastifyInstance): void => {
	app.get('/tokens', () => ({ live: tokens.live, logins: tokens.logins }));
	app.delete('/tokens', (_request, reply) => {
		tokens.revoke();
		return reply.code(204).send();
	});
};

/** How the sandbox behaves: settings and faults. */
const behavior = ({ deliveries, faults, settings }: Service, app: FastifyInstance): void => {
	app.get('/settings', () => settings.current);
	app.patch<{ Body: SettingsChange }>(
		'/settings',
		{ schema: { body: settingsSchema } },
		({ body }) => {
			const changed = settings.change(body);
			deliveries.wake();
			return changed;
		},
	);
	app.get('/faults', () => ({ items: faults.list() }));
	app.post<{ Body: FaultRequest }>(
		'/faults',
		{ schema: { body: faultSchema } },
		({ body }, reply) => reply.code(201).send(faults.add(body)),
	);
	app.delete('/faults', (_request, reply) => {
		faults.clear();
		return reply.code(204).send();
	});
};

interface TimeRequest {
	advanceSeconds?: number;
	to?: string;
}

/** The clock, and moving it forward. */
const time = ({ clock }: Service, app: FastifyInstance): void => {
	const shown = () => {
		const { nextDue } = clock;
		return { now: clock.nowIso(), nextDue: nextDue === undefined ? null : utcText(nextDue) };
	};
	const fields = {
		advanceSeconds: { type: 'number', minimum: 0 },
		to: { type: 'string', format: 'date-time' },
	};
	app.get('/time', shown);
	app.post<{ Body: TimeRequest }>(
		'/time',
		{ schema: { body: { ...object(fields), minProperties: 1 } } },
		({ body: { advanceSeconds = 0, to } }) => {
			const start = to === undefined ? clock.now() : Date.parse(to);
			if (start < clock.now()) throw problem(400, `The clock is already past ${String(to)}.`);
			clock.goTo(start + advanceSeconds * 1000);
			return shown();
		},
	);
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

const longestWait = 600;
const usualWait = 60;

/** Delivering events that somebody makes up, and waiting for all deliveries. */
const events = (service: Service, app: FastifyInstance): void => {
	const { deliveries } = service;
	const members = {
		webHookType: { type: 'integer' },
		data: { type: 'object' },
		clientId: { type: 'integer' },
	};
	app.post<{ Body: EventRequest | undefined }>(
		'/events',
		{ schema: { body: { ...object(members), type: ['object', 'null'] } } },
		async ({ body }) => {
			const id = sampleEvent(service, body ?? {});
			await waitFor(() => deliveries.get(id)?.status !== 'pending', usualWait);
			return deliveries.get(id);
		},
	);
	const timeout = { type: 'number', default: usualWait, maximum: longestWait };
	app.get<{ Querystring: { timeout: number } }>(
		'/idle',
		{ schema: { querystring: object({ timeout }) } },
		async ({ query }) => {
			const idle = await waitFor(() => !deliveries.hasPending(), query.timeout);
			return { idle, ...summaryOf(service) };
		},
	);
};

/** The control API: looking into the sandbox and steering it, without authentication. */
export const control =
	(service: Service) =>
	(app: FastifyInstance, _options: object, done: () => void): void => {
		refuseUnknown(app);
		controlRecords(service, app);
		time(service, app);
		behavior(service, app);
		logins(service, app);
		events(service, app);
		app.post('/reset', (_request, reply) => {
			service.reset();
			return reply.code(204).send();
		});
		done();
	};
