import { sleep } from 'n8n-workflow';

/** A request that was not sent: it could not wait for its turn. */
export class NotSent extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.name = 'NotSent';
		this.description = description;
	}
}

/** The execution was canceled before the turn of a request came. */
export function canceled(): NotSent {
	return new NotSent(
		'The execution was canceled before the request was sent',
		'This request was not sent.',
	);
}

/** What a timer can count: a longer one would end immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What is called when a signal is aborted, with one listener for all: Node.js warns of many. */
const calls = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function when a signal is aborted, immediately if it is already.
 * @returns ends the wait for it
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
	if (signal === undefined) return () => undefined;
	if (signal.aborted) call();
	const all = calls.get(signal) ?? listenTo(signal);
	all.add(call);
	return () => {
		all.delete(call);
	};
}

function listenTo(signal: AbortSignal): Set<() => void> {
	const all = new Set<() => void>();
	calls.set(signal, all);
	signal.addEventListener('abort', () => {
		for (const call of all) call();
	});
	return all;
}

/**
 * Waits until a function is called.
 * @param start is given the function
 * @throws NotSent when the execution is canceled
 */
export async function until(
	start: (end: () => void) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	let forget: (() => void) | undefined;
	try {
		await new Promise<void>((resolve, reject) => {
			start(resolve);
			forget = onAbort(signal, () => {
				reject(canceled());
			});
		});
	} finally {
		forget?.();
	}
}

/**
 * Waits.
 * @throws NotSent when the execution is canceled
 */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const delay = Math.min(milliseconds, MAX_TIMER_MS);
	await until((end) => void sleep(delay, signal).then(end, end), signal);
}
