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
