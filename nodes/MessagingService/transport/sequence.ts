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
