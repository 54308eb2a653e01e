/** What is called when a signal is aborted, with one listener for all: Node.js warns of many. */
const calls = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function when a signal is aborted, immediately if it is already.
 * @returns ends the wait for it
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
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
