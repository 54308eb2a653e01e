import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { mapConcurrently } from '../../nodes/MessagingService/transport/concurrency';
import { runs } from '../support/runs';

/** One task of a run: how many turns of the event loop it takes, and whether it fails then. */
const anyTasks = (mayFail: boolean) =>
	fc.array(
		fc.record({
			turns: fc.integer({ min: 1, max: 6 }),
			fails: mayFail ? fc.boolean() : fc.constant(false),
		}),
		{ maxLength: 25 },
	);
const anyLimit = fc.integer({ min: 1, max: 8 });

/** Runs tasks through the code under test and notes what happened. */
async function observe(tasks: readonly { turns: number; fails: boolean }[], limit: number) {
	const started: number[] = [];
	const startedAfterFailure: number[] = [];
	const failed: number[] = [];
	let running = 0;
	let most = 0;
	const outcome = await mapConcurrently(tasks, limit, async ({ turns, fails }, index) => {
		if (failed.length > 0) startedAfterFailure.push(index);
		started.push(index);
		most = Math.max(most, ++running);
		for (let turn = 0; turn < turns; turn++) await nextTurn();
		running--;
		if (!fails) return `result ${index}`;
		failed.push(index);
		throw new Error(`failure ${index}`);
	}).then(
		(results) => ({ results, error: undefined }),
		(error: unknown) => ({ results: undefined, error }),
	);
	return { ...outcome, started, startedAfterFailure, failed, runningAfterwards: running, most };
}

test('results keep the order of the inputs, not that in which they finish', async () => {
	await fc.assert(
		fc.asyncProperty(anyTasks(false), anyLimit, async (tasks, limit) => {
			const { results, started } = await observe(tasks, limit);
			expect(results).toEqual(tasks.map((_, index) => `result ${index}`));
			expect(started).toEqual(tasks.map((_, index) => index));
		}),
		{ numRuns: runs(100) },
	);
});

test('as many as the limit allows run simultaneously, and no more', async () => {
	await fc.assert(
		fc.asyncProperty(anyTasks(true), anyLimit, async (tasks, limit) => {
			const { most } = await observe(tasks, limit);
			expect(most).toBe(Math.min(limit, tasks.length));
		}),
		{ numRuns: runs(100) },
	);
});

test('after a failure nothing starts, what runs is awaited, and the earliest is thrown', async () => {
	await fc.assert(
		fc.asyncProperty(anyTasks(true), anyLimit, async (tasks, limit) => {
			const { error, failed, runningAfterwards, startedAfterFailure } = await observe(tasks, limit);
			expect(startedAfterFailure).toEqual([]);
			expect(runningAfterwards).toBe(0);
			if (tasks.some(({ fails }) => fails)) {
				expect(error).toEqual(new Error(`failure ${Math.min(...failed)}`));
			} else {
				expect(error).toBeUndefined();
			}
		}),
		{ numRuns: runs(50) },
	);
});
