import fc from 'fast-check';
import {
	clientFor,
	INTERACTIVE,
	PATIENT,
	POLLING,
} from '../../nodes/MessagingService/transport/connection';
import type { Port } from '../../nodes/MessagingService/transport/port';
import type { Patience } from '../../nodes/MessagingService/transport/service';
import { holds } from '../support/runs';

/**
 * How long a request and its login are tried, on a simulated clock: against a service that does not
 * respond, fails, or asks for pauses.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_WAIT_MS = 300_000;
const LOGIN_MS = 30_000;
const TIMEOUT_MS = 100_000;

/** A `Retry-After` header, and how many seconds it asks for; undefined where it says nothing. */
interface Pause {
	seconds: number | undefined;
	header(): string | undefined;
}

const inSeconds = (seconds: number): Pause => ({ seconds, header: () => String(seconds) });
const saying = (text: string | undefined): Pause => ({ seconds: undefined, header: () => text });
const NO_PAUSE = saying(undefined);
const PAUSES: Pause[] = [
	...[NO_PAUSE, saying('soon'), saying(''), saying('-5'), saying('1.5')],
	...[0, 1, 20, 150, 200, 301, 7200].map(inSeconds),
	{ seconds: 100, header: () => new Date(Date.now() + 100_000).toUTCString() },
	{ seconds: 0, header: () => new Date(0).toUTCString() },
];

/** What the service makes of one request: `none` is no response at all. */
interface Outcome {
	status: number | 'none';
	pause: Pause;
}

const OK: Outcome = { status: 200, pause: NO_PAUSE };

const outcomes = fc.array(
	fc.oneof(
		fc.constant(OK),
		fc.constant<Outcome>({ status: 'none', pause: NO_PAUSE }),
		fc.record<Outcome>({
			status: fc.constantFrom(429, 503, 500, 408),
			pause: fc.constantFrom(...PAUSES),
		}),
	),
	{ maxLength: 5 },
);

type Call = 'login' | 'request';

class Service {
	readonly calls: { what: Call; at: number }[] = [];
	readonly pauses: { from: number; until: number }[] = [];
	private readonly outcomes: Record<Call, Outcome[]>;

	constructor(login: readonly Outcome[], request: readonly Outcome[]) {
		this.outcomes = { login: [...login], request: [...request] };
	}

	readonly port: Port = {
		http: async ({ url }, signal) => {
			const what = url.endsWith('/token') ? 'login' : 'request';
			const at = Date.now();
			this.calls.push({ what, at });
			const { status, pause } = this.outcomes[what].shift() ?? OK;
			if (status === 'none') {
				return await new Promise((_, reject) => {
					signal.addEventListener('abort', () => reject(new Error('aborted')));
				});
			}
			const { seconds = 0 } = status === 200 ? NO_PAUSE : pause;
			this.pauses.push({ from: at, until: at + Math.min(seconds * 1000, HOUR_MS) });
			const body = what === 'login' ? { access_token: 'token-4711' } : [];
			return {
				statusCode: status,
				headers: { 'retry-after': pause.header() },
				body: (async function* () {
					yield await Promise.resolve(Buffer.from(JSON.stringify(body)));
				})(),
			};
		},
	};
}

interface ModelRequest {
	isPost: boolean;
	patience: Patience;
	arrivalMs: number;
}

let accounts = 0;

/** Makes requests with one account. @returns how each ended, and after how long */
async function simulate(service: Service, requests: readonly ModelRequest[]) {
	const clientId = `patience-${accounts++}`;
	const credential = {
		...{ baseUrl: 'https://service.example.com', clientId, timeout: TIMEOUT_MS / 1000 },
		...{ authentication: 'accessToken', tokenUrl: '/token', loginWith: 'json', loginJson: '{}' },
	};
	const ends: { isDone: boolean; tookMs: number }[] = [];
	// No wait between tries but the one that the service asks for.
	const random = jest.spyOn(Math, 'random').mockReturnValue(0);
	requests.forEach(({ isPost, patience, arrivalMs }, index) => {
		setTimeout(() => {
			const begin = Date.now();
			const end = (isDone: boolean) => {
				ends[index] = { isDone, tookMs: Date.now() - begin };
			};
			const client = clientFor(service.port, credential, {}, patience);
			const path = '/api/campaigns/voice';
			const result = isPost
				? client.post({ method: 'POST', path, reaches: { kind: 'unknown' } })
				: client.records({ method: 'GET', path });
			result.then(
				() => end(true),
				() => end(false),
			);
		}, arrivalMs);
	});
	await jest.advanceTimersByTimeAsync(DAY_MS);
	random.mockRestore();
	return ends;
}

/** What one request of an execution comes to: how often the service is asked, and for how long. */
function expected(isPost: boolean, logins: readonly Outcome[], requests: readonly Outcome[]) {
	const left = { login: [...logins], request: [...requests] };
	const calls: Call[] = [];
	let tookMs = 0;
	let waitedMs = 0;
	const call = (what: Call): Outcome => {
		calls.push(what);
		const outcome = left[what].shift() ?? OK;
		if (outcome.status === 'none') tookMs += what === 'login' ? LOGIN_MS : TIMEOUT_MS;
		return outcome;
	};
	let hasToken = false;
	for (let tries = 1; ; tries++) {
		let outcome = OK;
		if (!hasToken) outcome = call('login');
		hasToken = outcome.status === 200;
		const isSent = hasToken;
		if (isSent) outcome = call('request');
		hasToken = isSent;
		const { status, pause } = outcome;
		if (status === 200) return { calls, tookMs, isDone: true };
		const isRefused = status === 429 || (status === 503 && pause.seconds !== undefined);
		const mayBeAccepted = isPost && isSent && !isRefused;
		const { seconds = 0 } = pause;
		waitedMs += seconds * 1000;
		if (mayBeAccepted || tries === 4 || waitedMs > MAX_WAIT_MS) {
			return { calls, tookMs, isDone: false };
		}
		tookMs += seconds * 1000;
	}
}

beforeEach(() => {
	jest.useFakeTimers({ now: 1_000_000_000_000 });
	// Node's own timers are not simulated.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), milliseconds);
		return controller.signal;
	});
});

afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

/** The service asks for a pause twice. */
const twice = (seconds: number): Outcome[] =>
	Array.from({ length: 2 }, () => ({ status: 429, pause: inSeconds(seconds) }));

test('a request is tried four times, waits five minutes at most for pauses, and is not sent again if it may have been accepted', async () => {
	await holds(
		fc.asyncProperty(fc.boolean(), outcomes, outcomes, async (isPost, logins, requests) => {
			const service = new Service(logins, requests);
			const [end] = await simulate(service, [{ isPost, patience: PATIENT, arrivalMs: 0 }]);
			const { calls, ...model } = expected(isPost, logins, requests);
			expect(service.calls.map(({ what }) => what)).toEqual(calls);
			expect(end).toEqual(model);
		}),
		150,
		{
			examples: [
				[false, twice(200), []],
				[true, [], twice(200)],
				[true, twice(20), twice(100)],
			],
		},
	);
});

test('no request and no login starts in a pause, and who waits for one in the editor or in a poll gets an end in time', async () => {
	const anyRequest = fc.record<ModelRequest>({
		isPost: fc.boolean(),
		patience: fc.constantFrom(PATIENT, POLLING, INTERACTIVE),
		arrivalMs: fc.integer({ min: 0, max: 400 }).map((seconds) => seconds * 1000),
	});
	const many = fc.array(anyRequest, { minLength: 1, maxLength: 6 });
	await holds(
		fc.asyncProperty(many, outcomes, outcomes, async (requests, logins, answers) => {
			const service = new Service(logins, answers);
			const ends = await simulate(service, requests);
			expect(ends).toHaveLength(requests.length);
			for (const [index, { patience }] of requests.entries()) {
				expect(ends[index]?.tookMs).toBeLessThanOrEqual(patience.totalMs);
			}
			for (const { from, until } of service.pauses) {
				// In the millisecond of the response, one may have started before it.
				expect(service.calls.filter(({ at }) => at > from && at < until)).toEqual([]);
			}
		}),
		150,
	);
});
