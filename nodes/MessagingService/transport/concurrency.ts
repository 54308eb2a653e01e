import { sleep } from 'n8n-workflow';

/**
 * Runs `task` for every input, at most `limit` at a time, and returns the results in the order of
 * the inputs. After a failure no further task starts; those in progress are waited for, so that
 * none ends after the caller has gone on. Then the failure of the earliest input is thrown.
 */
export async function mapConcurrently<Input, Result>(
	inputs: readonly Input[],
	limit: number,
	task: (input: Input, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results = new Array<Result>(inputs.length);
	const failures = new Map<number, unknown>();
	let next = 0;

	async function worker() {
		while (next < inputs.length && failures.size === 0) {
			const index = next++;
			try {
				results[index] = await task(inputs[index] as Input, index);
			} catch (error) {
				failures.set(index, error);
			}
		}
	}

	await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, worker));
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	return results;
}

/** Lets only so many tasks run at a time. The others wait, and come in their order. */
export class Slots {
	private free: number;
	private readonly waiting: (() => void)[] = [];

	/** @param count maximum number of tasks in progress */
	constructor(count: number) {
		this.free = count;
	}

	async run<Result>(task: () => Promise<Result>): Promise<Result> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next === undefined) this.free++;
			else next();
		}
	}
}

/** Lets tasks with the same key run one after the other, in the order in which they ask. */
export class Sequence {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Runs a task after all earlier ones with this key; immediately without a key. */
	async run<Result>(key: string | undefined, task: () => Promise<Result>): Promise<Result> {
		if (key === undefined) return await task();
		const earlier = this.last.get(key) ?? Promise.resolve();
		const result = earlier.then(task, task);
		this.last.set(key, result);
		return await result;
	}
}

/** How long a run works before n8n gets a turn. */
const TURN_MS = 50;

/** Lets n8n do other things while a run works through many rows without waiting for the service. */
export class Breaks {
	private end = Date.now() + TURN_MS;

	async take(): Promise<void> {
		if (Date.now() < this.end) return;
		await sleep(0);
		this.end = Date.now() + TURN_MS;
	}
}
