import { clamp } from 'lodash';
import { MINUTE_MS } from '../times';

/** How long a failed reading counts, before it is tried again. */
const FAILURE_HOLDS_MS = 5 * MINUTE_MS;

/**
 * Makes a function that reads, one reading at a time: those who ask meanwhile share it. A failure
 * holds for five minutes, so that not each of many rows waits for a service that does not respond.
 */
export function holdingFailures<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
	let latest: Promise<Answer> | undefined;
	let failedAt: number | undefined;
	return async () => {
		// Also after the clock was set back.
		const isOver = failedAt !== undefined && Math.abs(Date.now() - failedAt) >= FAILURE_HOLDS_MS;
		if (latest === undefined || isOver) {
			failedAt = undefined;
			latest = read();
			latest.then(
				() => (latest = undefined),
				() => (failedAt = Date.now()),
			);
		}
		return await latest;
	};
}

/**
 * Makes a function that reads the answer to a question once for its owner, such as the client of a run.
 * That it cannot be read is an answer as well.
 */
export function readingOnce<Answer>() {
	const answers = new WeakMap<object, Map<string, Promise<Answer>>>();
	return async (owner: object, question: unknown, read: () => Promise<Answer>): Promise<Answer> => {
		const own = answers.get(owner) ?? new Map<string, Promise<Answer>>();
		answers.set(owner, own);
		const key = JSON.stringify(question);
		const answer = own.get(key) ?? read();
		own.set(key, answer);
		return await answer;
	};
}

/** What was read, and when that began: milliseconds since 1970. */
interface Reading<Value> {
	readAt: number;
	value: Value;
}

/**
 * Readings that all runs of this process share for a while, by their keys: one that took long for twice
 * the time that it took. One that fails is forgotten.
 */
export class SharedReadings<Value> {
	private readonly readings = new Map<string, Reading<Promise<Value>> & { sharedMs: number }>();
	private readonly leastMs: number;
	private readonly mostMs: number;

	/** @param mostMs that of a reading, however long it took */
	constructor(leastMs: number, mostMs = leastMs) {
		this.leastMs = leastMs;
		this.mostMs = mostMs;
	}

	/** @throws what reading throws */
	async get(key: string, read: (readAt: number) => Promise<Value>): Promise<Reading<Value>> {
		// It fails as well where the execution that reads is cancelled.
		await this.readings.get(key)?.value.catch(() => undefined);
		const now = Date.now();
		for (const [each, { readAt, sharedMs }] of this.readings) {
			// Also before a clock that was set back.
			if (Math.abs(now - readAt) >= sharedMs) this.readings.delete(each);
		}
		const known = this.readings.get(key);
		const reading = known ?? { readAt: now, value: read(now), sharedMs: this.mostMs };
		this.readings.set(key, reading);
		if (known === undefined) {
			reading.value.then(
				() => (reading.sharedMs = clamp(2 * (Date.now() - now), this.leastMs, this.mostMs)),
				() => this.readings.get(key) === reading && this.readings.delete(key),
			);
		}
		return { readAt: reading.readAt, value: await reading.value };
	}
}
