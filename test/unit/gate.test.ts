import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { Gate, gateOf } from '../../nodes/MessagingService/transport/gate';
import { runs } from '../support/runs';

const DAY = 24 * 3600 * 1000;

/** How a request waits, with limits and a signal of its own. */
const waiting = (
	concurrency: number,
	requestsPerSecond = 0,
	{ maxPauseMs = DAY, signal }: { maxPauseMs?: number; signal?: AbortSignal } = {},
) => ({ limits: { concurrency, requestsPerSecond }, maxPauseMs, signal });

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
async function simulate(
	gate: Gate,
	requests: readonly ModelRequest[],
	[concurrency, requestsPerSecond]: [number, number],
) {
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
				if (pause === undefined) return;
				gate.holdFor(pause);
				pauses.push({ from: Date.now(), until: Date.now() + pause });
			};
			const { signal } = controller;
			void gate
				.run(work, waiting(concurrency, requestsPerSecond, { signal }))
				.catch(() => undefined)
				.finally(() => ended.push(index));
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

	test('every request starts once unless it is cancelled, none in a pause, never too many, never too fast', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(anyRequest, { minLength: 1, maxLength: 25 }),
				fc.integer({ min: 1, max: 6 }),
				fc.constantFrom(0, 1, 4, 50),
				async (requests, concurrency, requestsPerSecond) => {
					const { starts, pauses, most, ended } = await simulate(new Gate(), requests, [
						concurrency,
						requestsPerSecond,
					]);
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

	test('a pause holds also those that wait for their second already', async () => {
		const gate = new Gate();
		const starts: number[] = [];
		const origin = Date.now();
		for (let index = 0; index < 4; index++) {
			void gate.run(
				async () => {
					starts.push(Date.now() - origin);
				},
				waiting(10, 2),
			);
		}
		await jest.advanceTimersByTimeAsync(600);
		expect(starts).toEqual([0, 500]);
		gate.holdFor(5000);
		gate.holdFor(10);
		await jest.advanceTimersByTimeAsync(DAY);
		expect(starts).toEqual([0, 500, 5600, 6100]);
	});

	test('a request that would wait too long for a pause fails, and gives its place back', async () => {
		const gate = new Gate();
		const short = waiting(1, 0, { maxPauseMs: 60_000 });
		gate.holdFor(60_001);
		const outcomes = Promise.allSettled(
			[1, 2].map((number) => gate.run(async () => number, short)),
		);
		await jest.advanceTimersByTimeAsync(1);
		const reason = expect.objectContaining({
			message: 'The service asked for a pause of 61 s',
			description: expect.stringContaining('this request was not sent'),
		});
		expect(await outcomes).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
		const later = gate.run(async () => 'runs', short);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(await later).toBe('runs');
	});
});

test('a failed request gives its place back', async () => {
	const gate = new Gate();
	const failing = gate.run(async () => {
		throw new Error('refused');
	}, waiting(1));
	await expect(failing).rejects.toThrow('refused');
	await expect(gate.run(async () => 'runs', waiting(1))).resolves.toBe('runs');
});

test('a cancelled run gives its places back, to another that waits', async () => {
	const gate = new Gate();
	const { signal, ...controller } = cancellable();
	let finish: (value: string) => void = () => undefined;
	const running = gate.run(
		async () => await new Promise<string>((resolve) => (finish = resolve)),
		waiting(1),
	);
	const cancelled = [1, 2, 3].map((number) =>
		gate.run(async () => number, waiting(1, 0, { signal })),
	);
	const other = gate.run(async () => 'other', waiting(1));
	controller.abort();
	const outcomes = await Promise.allSettled(cancelled);
	expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
	finish('first');
	expect(await Promise.all([running, other])).toEqual(['first', 'other']);
	expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
});

function cancellable() {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort() };
}

test('a pause ends with the execution', async () => {
	const gate = new Gate();
	const { signal, abort } = cancellable();
	gate.holdFor(3_600_000);
	const all = [1, 2].map((number) => gate.run(async () => number, waiting(1, 0, { signal })));
	abort();
	const outcomes = await Promise.allSettled(all);
	expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('after the execution has ended, nothing starts any more', async () => {
	const gate = new Gate();
	const { signal, abort } = cancellable();
	const started: string[] = [];
	const all = ['first', 'second', 'third'].map((name) =>
		gate.run(
			async () => {
				started.push(name);
				abort();
			},
			waiting(1, 0, { signal }),
		),
	);
	const outcomes = await Promise.allSettled(all);
	expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
	expect(started).toEqual(['first']);
});

test('an account has one gate', () => {
	expect(gateOf('one')).toBe(gateOf('one'));
	expect(gateOf('one')).not.toBe(gateOf('another'));
});
