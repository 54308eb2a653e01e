import type { FastifyInstance } from 'fastify';
import { utcText } from './clock.ts';
import { problem } from './errors.ts';
import type { Service } from './service.ts';
import { pushTime } from './steering.ts';

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
const shown = ({ clock, simulation }: Service) => {
	const { nextDue } = simulation;
	return {
		now: clock.nowIso(),
		target: utcText(clock.target),
		status: clock.status,
		rate: clock.rate,
		nextDue: nextDue === undefined ? null : utcText(nextDue),
	};
};

/** How far a request moves the clock's target, in milliseconds. */
const distance = ({ clock }: Service, { advanceSeconds, to }: TimeRequest): number => {
	if (to !== undefined && advanceSeconds !== undefined) {
		throw problem(400, 'Give either advanceSeconds or to, not both.');
	}
	const milliseconds =
		to === undefined ? (advanceSeconds ?? 0) * 1000 : Date.parse(to) - clock.target;
	if (milliseconds < 0) throw problem(400, `The clock is already past ${String(to)}.`);
	return milliseconds;
};

/** `GET` and `POST /time`: the clock, and moving it forward. */
export const controlTime = (service: Service, app: FastifyInstance): void => {
	app.get('/time', () => shown(service));

	app.post<{ Body: TimeRequest }>(
		'/time',
		{
			schema: {
				body: {
					type: 'object',
					additionalProperties: false,
					properties: fields,
					minProperties: 1,
				},
			},
		},
		async ({ body }) => {
			const milliseconds = distance(service, body);
			if (body.rate !== undefined) service.clock.setRate(body.rate);
			const done = pushTime(service, milliseconds);
			if (body.wait === false) done.catch(console.error);
			else await done;
			return shown(service);
		},
	);
};
