import fc from 'fast-check';
import { Gate, type Limits } from '../../nodes/MessagingService/transport/gate';
import { runs } from '../support/runs';

const DAY = 24 * 3600 * 1000;

/** What one request of a model run does: when it arrives, how long it takes, what it asks for. */
interface ModelRequest {
	arrival: number;
	duration: number;
	/** `Retry-After` of its response. */
	pause: number | undefined;
	/** When the execution of the request is cancelled. */
	cancelled: number | undefined;
}

const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
	arrival: fc.integer({ min: 0, max: 3000 }),
	duration: fc.integer({ min: 1, max: 400 }),
	pause: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined, freq: 5 }),
	cancelled: fc.option(fc.integer({ min: 0, max: 4000 }), { nil: undefined, freq: 4 }),
});

/** Runs requests on a clock of their own; gives what started, and the pauses that were asked for. */
async function simulate(requests: readonly ModelRequest[], limits: Limits) {
	const gate = new Gate();
	const starts: { at: number; index: number }[] = [];
	const pauses: { from: number; until: number }[] = [];
	let running = 0;
	let most = 0;
	const ended: number[] = [];
	requests.forEach(({ arrival, duration, pause, cancelled }, index) => {
		const controller = new AbortController();
		if (cancelled !== undefined) setTimeout(() => controller.abort(), cancelled);
		setTimeout(() => {
			const work = async () => {
				expect(controller.signal.aborted).toBe(false);
				starts.push({ at: Date.now(), index });
				most = Math.max(most, ++running);
				await new Promise((resolve) => setTimeout(resolve, duration));
				running--;
				if (pause !== undefined) {
					gate.holdFor(pause);
					pauses.push({ from: Date.now(), until: Date.now() + pause });
				}
				return { value: index };
			};
			void gate
				.run(work, { limits, maxPauseMs: DAY, signal: controller.signal })
				.then(() => ended.push(index));
		}, arrival);
	});
	await jest.advanceTimersByTimeAsync(DAY);
	return { starts, pauses, most, ended };
}

beforeEach(() => {
	jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
	jest.useRealTimers();
});

test('every request starts once unless it is cancelled, none in a pause, never too many, never too fast', async () => {
	await fc.assert(
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
				for (const [index, { cancelled }] of requests.entries()) {
					if (cancelled === undefined) expect(started).toContain(index);
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
		{ numRuns: runs(50) },
	);
});
