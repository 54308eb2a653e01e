import fc from 'fast-check';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { mapConcurrently, Slots, Breaks } from '../../nodes/MessagingService/transport/concurrency';
import { PATIENT } from '../../nodes/MessagingService/transport/connection';
import { Gate, pause, type Waiting } from '../../nodes/MessagingService/transport/gate';
import type { Port } from '../../nodes/MessagingService/transport/port';
import { readService } from '../../nodes/MessagingService/transport/service';
import { holds } from '../support/runs';

const DAY = 24 * 3600 * 1000;

/** What one request of a model run does: when it arrives, how long it takes, what it asks for. */
interface ModelRequest {
	arrival: number;
	duration: number;
	/** `Retry-After` of its response. */
	pause: number | undefined;
	/** When the execution of the request is cancelled. */
	cancelled: number | undefined;
	/** Whether somebody in the editor waits for it. */
	isNext?: boolean;
	/** After this time, it is not started. */
	patience?: number;
}

const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
	arrival: fc.integer({ min: 0, max: 3000 }),
	duration: fc.integer({ min: 1, max: 400 }),
	pause: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined, freq: 5 }),
	cancelled: fc.option(fc.integer({ min: 0, max: 4000 }), { nil: undefined, freq: 4 }),
	isNext: fc.boolean(),
	patience: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: Infinity, freq: 3 }),
});

/** Runs requests on a clock of their own; gives what started, and the pauses that were asked for. */
async function simulate(requests: readonly ModelRequest[], limits: Waiting['limits']) {
	const gate = new Gate();
	const begin = Date.now();
	const now = () => Date.now() - begin;
	const starts: { at: number; index: number }[] = [];
	const pauses: { from: number; until: number }[] = [];
	let running = 0;
	let most = 0;
	const ended: number[] = [];
	const endedAt = new Map<number, number>();
	const failures = new Map<number, string>();
	requests.forEach((request, index) => {
		const { arrival, duration, pause, cancelled, isNext = false, patience = Infinity } = request;
		const controller = new AbortController();
		if (cancelled !== undefined) setTimeout(() => controller.abort(), cancelled);
		setTimeout(() => {
			const work = async () => {
				expect(controller.signal.aborted).toBe(false);
				starts.push({ at: now(), index });
				most = Math.max(most, ++running);
				await new Promise((resolve) => setTimeout(resolve, duration));
				running--;
				if (pause !== undefined) {
					gate.holdFor(pause);
					pauses.push({ from: now(), until: now() + pause });
				}
			};
			const { signal } = controller;
			const latestStart = Date.now() + patience;
			void gate
				.run(work, { limits, latestStart, isNext, signal })
				.catch((failure: Error) => failures.set(index, failure.message))
				.finally(() => {
					ended.push(index);
					endedAt.set(index, now());
				});
		}, arrival);
	});
	await jest.advanceTimersByTimeAsync(DAY);
	return { starts, pauses, most, ended, endedAt, failures };
}

beforeEach(() => {
	jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
	jest.useRealTimers();
});

test('every request starts once unless it is cancelled or too late, none in a pause, never too many, never too fast', async () => {
	await holds(
		fc.asyncProperty(
			fc.array(anyRequest, { minLength: 1, maxLength: 25 }),
			fc.integer({ min: 1, max: 6 }),
			fc.constantFrom(0, 1, 4, 50),
			async (requests, concurrency, requestsPerSecond) => {
				const limits = { concurrency, requestsPerSecond };
				const { starts, pauses, most, ended } = await simulate(requests, limits);
				const started = starts.map(({ index }) => index);
				expect(ended).toHaveLength(requests.length);
				expect(new Set(started).size).toBe(started.length);
				for (const [index, { cancelled, patience }] of requests.entries()) {
					if (cancelled === undefined && patience === Infinity) expect(started).toContain(index);
				}
				for (const { at, index } of starts) {
					const { arrival, patience = Infinity } = requests[index] as ModelRequest;
					expect(at).toBeLessThanOrEqual(arrival + patience);
				}
				expect(most).toBeLessThanOrEqual(concurrency);
				for (const { from, until } of pauses) {
					// In the very millisecond of the response, one may have started before it.
					expect(starts.filter(({ at }) => at > from && at < until)).toEqual([]);
				}
				if (requestsPerSecond === 0) return;
				const distances = starts.slice(1).map(({ at }, index) => at - (starts[index]?.at ?? 0));
				expect(Math.min(...distances, Infinity)).toBeGreaterThanOrEqual(
					Math.floor(1000 / requestsPerSecond),
				);
			},
		),
		50,
	);
});

/** When each request started, in seconds. */
const secondsOf = (starts: readonly { at: number; index: number }[], indexes: readonly number[]) =>
	starts.filter(({ index }) => indexes.includes(index)).map(({ at }) => at / 1000);

const RUN = { duration: 100, pause: undefined, cancelled: undefined };
const EDITOR = { ...RUN, isNext: true, patience: 10_000 };
const SLOW = { concurrency: 10, requestsPerSecond: 0.5 };
const sends = Array.from({ length: 60 }, () => ({ ...RUN, arrival: 0 }));

test('a list and a publish beside 60 sends at 0.5 a second start within 5 s, and the rate is kept', async () => {
	for (const [list, publish] of [
		[20_100, 20_100],
		[30_000, 37_900],
	] as const) {
		const asked = [list, publish].map((arrival) => ({ ...EDITOR, arrival }));
		const { starts, ended } = await simulate([...sends, ...asked], SLOW);
		expect(ended).toHaveLength(62);
		const [first = Infinity, second = Infinity] = secondsOf(starts, [60, 61]);
		expect(first - list / 1000).toBeLessThanOrEqual(5);
		expect(second - publish / 1000).toBeLessThanOrEqual(5);
		// No turn is lost: 62 requests, one every two seconds.
		expect(secondsOf(starts, [...starts.keys()]).at(-1)).toBe(122);
	}
});

test('a list that is asked for after another one has started comes behind one send', async () => {
	const limits = { concurrency: 10, requestsPerSecond: 1 };
	const bulk = Array.from({ length: 6 }, () => ({ ...RUN, arrival: 0 }));
	const lists = [1500, 2500].map((arrival) => ({ ...EDITOR, arrival }));
	const { starts } = await simulate([...bulk, ...lists], limits);
	expect(starts.map(({ index }) => index)).toEqual([0, 1, 6, 2, 7, 3, 4, 5]);
});

test.each([
	['Requests per Second', { concurrency: 10, requestsPerSecond: 0.01 }, 100],
	['Max Concurrent Requests', { concurrency: 1, requestsPerSecond: 0 }, 60_000],
])('a list that cannot start in time says that %s keeps it', async (limit, limits, duration) => {
	const send = { ...RUN, arrival: 0, duration };
	const list = { ...EDITOR, arrival: 500 };
	const { failures, starts, endedAt } = await simulate([send, send, list], limits);
	expect(starts.map(({ index }) => index)).toEqual([0, 1]);
	expect(failures.get(2)).toBe(`${limit} left no turn for this request in time`);
	expect(endedAt.get(2)).toBeLessThanOrEqual(11_000);
});

test('a list that comes too late is not told of a pause that is over', async () => {
	const paused = { ...RUN, arrival: 0, duration: 0, pause: 100 };
	const late = { ...EDITOR, arrival: 2000, patience: -1950 };
	const { failures } = await simulate([paused, late], { concurrency: 10, requestsPerSecond: 0 });
	expect(failures.get(1)).toMatch(/left no turn for this request in time$/);
});

test('a canceled execution waits for half a second at most, also before another try', async () => {
	const controller = new AbortController();
	let isOver = false;
	void pause(60_000, controller.signal).then(() => (isOver = true));
	await jest.advanceTimersByTimeAsync(10_000);
	controller.abort();
	expect(isOver).toBe(false);
	await jest.advanceTimersByTimeAsync(500);
	expect(isOver).toBe(true);

	const paused = { ...RUN, arrival: 0, duration: 0, pause: 60_000 };
	const waiting = { ...RUN, arrival: 100, cancelled: 5000 };
	const ends = await simulate([paused, waiting], { concurrency: 1, requestsPerSecond: 0 });
	expect(ends.endedAt.get(1)).toBeLessThanOrEqual(5500);
});

test('a request of an execution that is canceled already does not wait behind others', async () => {
	const slow = { ...RUN, arrival: 0, duration: 60_000 };
	const canceled = { ...RUN, arrival: 100, cancelled: 50 };
	const limits = { concurrency: 1, requestsPerSecond: 0 };
	const { endedAt, failures } = await simulate([slow, slow, canceled], limits);
	expect(endedAt.get(2)).toBe(100);
	expect(failures.get(2)).toBe('The execution was canceled before the request was sent');
});

test('a pause is waited for if it is over in time, to the millisecond; otherwise its seconds are named', async () => {
	const limits = { concurrency: 10, requestsPerSecond: 0 };
	const outcome = async (pause: number, waiting: Partial<ModelRequest>) => {
		const paused = { ...RUN, arrival: 0, duration: 1, pause };
		const later = { ...RUN, arrival: 2, ...waiting };
		const { starts, failures } = await simulate([paused, later], limits);
		return failures.get(1) ?? starts.find(({ index }) => index === 1)?.at;
	};
	const refused = (seconds: number) => `The service asked for a pause of ${seconds} s`;
	expect(await outcome(300_001, {})).toBe(300_002);
	expect(await outcome(300_002, {})).toBe(refused(301));
	expect(await outcome(10_001, { isNext: true, patience: 10_000 })).toBe(10_002);
	expect(await outcome(10_002, { isNext: true, patience: 10_000 })).toBe(refused(11));
	expect(await outcome(3_000_001, {})).toBe(refused(3000));
});

test('n8n gets a turn after each 50 ms of work, and not more often', async () => {
	const breaks = new Breaks();
	const waits = jest.spyOn(globalThis, 'setTimeout');
	const give = async (milliseconds: number) => {
		jest.setSystemTime(Date.now() + milliseconds);
		const before = waits.mock.calls.length;
		const given = breaks.take();
		await jest.advanceTimersByTimeAsync(0);
		await given;
		return waits.mock.calls.length - before;
	};
	const given: number[] = [];
	for (const milliseconds of [0, 49, 1, 0, 49, 1]) given.push(await give(milliseconds));
	expect(given).toEqual([0, 0, 1, 0, 0, 1]);
});

test('a pause of days is taken for a mistake: after an hour, requests start again', async () => {
	const paused = { ...RUN, arrival: 0, duration: 0, pause: 30 * DAY };
	const later = [3_500_000, 3_600_000].map((arrival) => ({ ...RUN, arrival }));
	const limits = { concurrency: 10, requestsPerSecond: 0 };
	const { starts, failures } = await simulate([paused, ...later], limits);
	expect([starts.map(({ index }) => index), [...failures]]).toEqual([[0, 1, 2], []]);
});

test.each([undefined, false, 'false', 'true', 1])(
	'certificates are verified where Ignore SSL Issues is %j: only true turns that off',
	(ignoreSslIssues) => {
		const ignores = (value: unknown) =>
			readService(
				{} as Port,
				{ baseUrl: 'https://messaging.example.com', ignoreSslIssues: value } as never,
				{},
				PATIENT,
			).ignoresSslIssues;
		expect([ignores(ignoreSslIssues), ignores(true)]).toEqual([false, true]);
	},
);

describe('what tells accounts apart, and outlives a run,', () => {
	/** All that a kind of authentication asks for. */
	const keys = new MessagingServiceApi().properties
		.filter(({ displayOptions }) => displayOptions?.show?.authentication !== undefined)
		.map(({ name }) => name);
	const given = {
		...{ baseUrl: 'https://messaging.example.com', clientId: '1001' },
		...Object.fromEntries(keys.map((name) => [name, 'a-secret'])),
	};
	const accountOf = (change: object) =>
		readService({} as Port, { ...given, ...change }, {}, PATIENT).accountKey;

	test('does not contain the secret', () => {
		expect(accountOf({})).not.toContain('a-secret');
	});

	test.each(Object.keys(given))('differs with %s', (field) => {
		expect(accountOf({ [field]: 'https://another.example.com' })).not.toBe(accountOf({}));
	});

	test.each([
		{ requestsPerSecond: 5, concurrentRequests: 1, timeout: 10 },
		{ sendingPolicy: true, maxRecipients: 1 },
		{ defaultCountry: 'GB', pricePerPart: 0.05 },
		{ serviceConventions: true, serviceTimeZone: 'Asia/Kathmandu' },
		{ baseUrl: ' https://messaging.example.com// ', clientId: ' 1001 ' },
	])('is the same in a credential with other settings: %j', (change) => {
		expect(accountOf(change)).toBe(accountOf({}));
	});
});

test('of tasks that wait for a place, each gets one in its turn, also behind one that fails', async () => {
	const tasks = fc.array(fc.record({ fails: fc.boolean(), turns: fc.nat(3) }), { maxLength: 20 });
	await holds(
		fc.asyncProperty(fc.integer({ min: 1, max: 4 }), tasks, async (count, all) => {
			const slots = new Slots(count);
			const started: number[] = [];
			let open = 0;
			const ends = all.map(async ({ fails, turns }, index) =>
				slots.run(async () => {
					started.push(index);
					expect(++open).toBeLessThanOrEqual(count);
					for (let turn = 0; turn < turns; turn++) await Promise.resolve();
					open--;
					if (fails) throw new Error('failed');
				}),
			);
			for (const end of ends) end.catch(() => undefined);
			for (let turn = 0; turn < 1000; turn++) await Promise.resolve();
			expect(started).toEqual([...all.keys()]);
		}),
		100,
	);
});

test('tasks give their results in order, so many at a time; after a failure none starts, and the first failed one is named', async () => {
	const tasks = fc.array(fc.record({ fails: fc.boolean(), turns: fc.nat(5) }), { maxLength: 12 });
	await holds(
		fc.asyncProperty(fc.integer({ min: 1, max: 4 }), tasks, async (limit, all) => {
			let open = 0;
			const failed: number[] = [];
			const result = mapConcurrently(all, limit, async ({ fails, turns }, index) => {
				expect(failed).toEqual([]);
				expect(++open).toBeLessThanOrEqual(limit);
				for (let turn = 0; turn < turns; turn++) await Promise.resolve();
				open--;
				if (fails) throw failed.push(index) && new Error(String(index));
				return index;
			});
			const outcome = await result.catch(({ message }: Error) => Number(message));
			expect(open).toBe(0);
			expect(outcome).toEqual(failed.length > 0 ? Math.min(...failed) : [...all.keys()]);
		}),
		100,
	);
});
