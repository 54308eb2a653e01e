import fc from 'fast-check';
import { Pace, PauseTooLong } from '../../nodes/MessagingService/transport/pace';
import { runs } from '../support/runs';

const DAY = 24 * 3600 * 1000;

/** What one request of a model run does: when it arrives, how long it takes, what it asks for. */
interface ModelRequest {
	arrival: number;
	duration: number;
	/** `Retry-After` of its response. */
	pause: number | undefined;
}

const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
	arrival: fc.integer({ min: 0, max: 3000 }),
	duration: fc.integer({ min: 1, max: 400 }),
	pause: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined, freq: 5 }),
});

/** Runs requests on a clock of their own; gives what started, and the pauses that were asked for. */
async function simulate(pace: Pace, requests: readonly ModelRequest[]) {
	const starts: { at: number; index: number }[] = [];
	const pauses: { from: number; until: number }[] = [];
	let running = 0;
	let most = 0;
	let ended = 0;
	requests.forEach(({ arrival, duration, pause }, index) => {
		setTimeout(() => {
			void pace.run(async () => {
				starts.push({ at: Date.now(), index });
				most = Math.max(most, ++running);
				await new Promise((resolve) => setTimeout(resolve, duration));
				running--;
				ended++;
				if (pause === undefined) return;
				pace.holdFor(pause);
				pauses.push({ from: Date.now(), until: Date.now() + pause });
			});
		}, arrival);
	});
	await jest.advanceTimersByTimeAsync(DAY);
	return { starts, pauses, most, ended };
}

describe('on a clock of its own', () => {
	beforeEach(() => {
		jest.useFakeTimers({ now: 1_000_000 });
	});

	afterEach(() => {
		jest.useRealTimers();
	});

	test('every request starts once, none in a pause, never too many, never too fast', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(anyRequest, { minLength: 1, maxLength: 25 }),
				fc.integer({ min: 1, max: 6 }),
				fc.constantFrom(0, 1, 4, 50),
				async (requests, concurrency, requestsPerSecond) => {
					const pace = new Pace({ concurrency, requestsPerSecond }, DAY);
					const { starts, pauses, most, ended } = await simulate(pace, requests);
					expect(ended).toBe(requests.length);
					expect(new Set(starts.map(({ index }) => index)).size).toBe(requests.length);
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
			{ numRuns: runs(50) },
		);
	});

	test('a pause holds also those that wait for their second already', async () => {
		const pace = new Pace({ concurrency: 10, requestsPerSecond: 2 }, DAY);
		const starts: number[] = [];
		const origin = Date.now();
		for (let index = 0; index < 4; index++) {
			void pace.run(async () => {
				starts.push(Date.now() - origin);
			});
		}
		await jest.advanceTimersByTimeAsync(600);
		expect(starts).toEqual([0, 500]);
		pace.holdFor(5000);
		pace.holdFor(10);
		await jest.advanceTimersByTimeAsync(DAY);
		expect(starts).toEqual([0, 500, 5600, 6100]);
	});

	test('a request that would wait too long for a pause fails, and gives its place free', async () => {
		const pace = new Pace({ concurrency: 1, requestsPerSecond: 0 }, 60_000);
		pace.holdFor(60_001);
		const outcomes = Promise.allSettled([1, 2].map((number) => pace.run(async () => number)));
		await jest.advanceTimersByTimeAsync(1);
		expect(await outcomes).toEqual([
			{ status: 'rejected', reason: expect.any(PauseTooLong) },
			{ status: 'rejected', reason: expect.any(PauseTooLong) },
		]);
		const later = pace.run(async () => 'runs');
		await jest.advanceTimersByTimeAsync(60_000);
		expect(await later).toBe('runs');
	});

	test('a failed request gives its place free', async () => {
		const pace = new Pace({ concurrency: 1, requestsPerSecond: 0 }, DAY);
		const failing = pace.run(async () => {
			throw new Error('refused');
		});
		await expect(failing).rejects.toThrow('refused');
		await expect(pace.run(async () => 'runs')).resolves.toBe('runs');
	});
});

test('a pause ends with the execution, and gives the place free', async () => {
	const controller = new AbortController();
	const pace = new Pace({ concurrency: 1, requestsPerSecond: 0 }, DAY, controller.signal);
	pace.holdFor(3_600_000);
	const runs = [1, 2].map((number) => pace.run(async () => number));
	controller.abort();
	const outcomes = await Promise.allSettled(runs);
	expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('after the execution has ended, nothing starts any more', async () => {
	const controller = new AbortController();
	const pace = new Pace({ concurrency: 1, requestsPerSecond: 0 }, DAY, controller.signal);
	const started: string[] = [];
	const runs = ['first', 'second', 'third'].map((name) =>
		pace.run(async () => {
			started.push(name);
			controller.abort();
		}),
	);
	const outcomes = await Promise.allSettled(runs);
	expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
	expect(started).toEqual(['first']);
});
