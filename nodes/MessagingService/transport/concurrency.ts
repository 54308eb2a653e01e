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

/**
 * Makes a function that reads the answer to a question once for its owner, a run for example: those
 * who ask while it is read share the reading. A failure is not remembered: whoever asks next may
 * succeed. What is read may depend on nothing but the owner and the question.
 */
export function readingOnce<Answer>() {
	const answers = new WeakMap<object, Map<string, Promise<Answer>>>();
	return async (owner: object, question: unknown, read: () => Promise<Answer>): Promise<Answer> => {
		const own = answers.get(owner) ?? new Map<string, Promise<Answer>>();
		answers.set(owner, own);
		const key = JSON.stringify(question);
		const answer = own.get(key) ?? read();
		own.set(key, answer);
		answer.catch(() => own.delete(key));
		return await answer;
	};
}
