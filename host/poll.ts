import { setTimeout as sleep } from 'node:timers/promises';

/** How to wait for something. */
export interface PollOptions {
	/** What is waited for, for the error message. */
	what: string;
	timeout: number;
	interval?: number;
}

/**
 * Asks again and again until the result is not undefined, at first more often than the interval says.
 * An error of `ask` ends the wait.
 */
export async function poll<T>(
	ask: () => Promise<T | undefined> | T | undefined,
	{ what, timeout, interval = 200 }: PollOptions,
): Promise<T> {
	const deadline = Date.now() + timeout;
	for (let pause = 25; ; pause *= 2) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() >= deadline) {
			throw new Error(`Waited ${String(timeout / 1000)} s for ${what}, without success.`);
		}
		await sleep(Math.min(pause, interval));
	}
}
