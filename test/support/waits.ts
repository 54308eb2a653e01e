/** In all tests of a file, timers take this part of their time. The clock goes on as usual. */
export function shortenWaits(divisor: number): void {
	const { setTimeout: full } = globalThis;
	beforeEach(() => {
		const shorter = (task: () => void, ms = 0) => full(task, ms / divisor);
		jest.spyOn(globalThis, 'setTimeout').mockImplementation(shorter as typeof setTimeout);
	});
	afterEach(() => {
		jest.mocked(globalThis.setTimeout).mockRestore();
	});
}

/** Sets the date until `jest.useRealTimers()`; sockets and waits go on as usual. */
export function setDate(now: number): void {
	jest.useFakeTimers({
		now,
		doNotFake: [
			...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
			...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
			...(['setTimeout', 'clearTimeout'] as const),
		],
	});
}
