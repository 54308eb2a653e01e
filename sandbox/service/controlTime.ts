import type { FastifyInstance } from 'fastify';
import { utcText } from './clock.ts';
import { problem } from './errors.ts';
import { object } from './schemas.ts';
import type { Service } from './service.ts';

interface TimeRequest {
	advanceSeconds?: number;
	to?: string;
	rate?: number;
	/** True unless given. */
	wait?: boolean;
}

const fields = {
	advanceSeconds: { type: 'number', minimum: 0 },
	to: { type: 'string', format: 'date-time' },
	rate: { type: 'number', minimum: 0, maximum: 100_000 },
	wait: { type: 'boolean' },
};

/** The clock as the control API shows it. */
const shown = ({ clock }: Service) => {
	const { nextDue } = clock;
	return {
		now: clock.nowIso(),
		target: utcText(clock.target),
		status: clock.isBusy ? 'advancing' : 'ready',
		rate: clock.rate,
		nextDue: nextDue === undefined ? null : utcText(nextDue),
	};
};

/** Where a request wants the clock to go. */
const targetOf = ({ clock }: Service, { advanceSeconds, to }: TimeRequest): number => {
	if (to === undefined) return clock.target + (advanceSeconds ?? 0) * 1000;
	if (advanceSeconds !== undefined) {
		throw problem(400, 'Give either advanceSeconds or to, not both.');
	}
	if (Date.parse(to) < clock.target) throw problem(400, `The clock is already past ${to}.`);
	return Date.parse(to);
};

/** `GET` and `POST /time`: the clock, and moving it forward. */
export const controlTime = (service: Service, app: FastifyInstance): void => {
	const { clock } = service;
	app.get('/time', () => shown(service));
	app.post<{ Body: TimeRequest }>(
		'/time',
		{ schema: { body: { ...object(fields), minProperties: 1 } } },
		async ({ body }) => {
			const target = targetOf(service, body);
			if (body.rate !== undefined) clock.setRate(body.rate);
			const done = clock.goTo(target);
			if (body.wait === false) done.catch(console.error);
			else await done;
			return shown(service);
		},
	);
};
