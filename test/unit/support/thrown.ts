/** What a function throws. */
export function thrown(run: () => unknown): unknown {
	try {
		run();
	} catch (error) {
		return error;
	}
	throw new Error('Nothing was thrown');
}
