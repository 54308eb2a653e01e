import type { FastifyInstance } from 'fastify';
import { utcText } from './clock.ts';
import { problem } from './errors.ts';
import { object } from './schemas.ts';
import type { Service } from './service.ts';

interface TimeRequest {
	advanceSeconds?: number;
	to?: string;
	rate?: number;
}

const fields = {
	advanceSeconds: { type: 'number', minimum: 0 },
	to: { type: 'string', format: 'date-time' },
	rate: { type: 'number', minimum: 0, maximum: 100_000 },
};

/** The clock as the control API shows it. */
const shown = ({ clock }: Service) => {
	const { nextDue } = clock;
	return {
		now: clock.nowIso(),
		rate: clock.rate,
		nextDue: nextDue === undefined ? null : utcText(nextDue),
	};
};

/** Where a request wants the clock to go. */
const goalOf = ({ clock }: Service, { advanceSeconds = 0, to }: TimeRequest): number => {
	if (to === undefined) return clock.now() + advanceSeconds * 1000;
	if (Date.parse(to) < clock.now()) throw problem(400, `The clock is already past ${to}.`);
	return Date.parse(to) + advanceSeconds * 1000;
};

/** `GET` and `POST /time`: the clock, and moving it forward. */
export const controlTime = (service: Service, app: FastifyInstance): void => {
	const { clock } = service;
	app.get('/time', () => shown(service));
	app.post<{ Body: TimeRequest }>(
		'/time',
		{ schema: { body: { ...object(fields), minProperties: 1 } } },
		({ body }) => {
			const goal = goalOf(service, body);
			if (body.rate !== undefined) clock.setRate(body.rate);
			clock.goTo(goal);
			return shown(service);
		},
	);
};
