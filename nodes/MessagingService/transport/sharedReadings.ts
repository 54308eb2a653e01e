/** How long a failed reading counts, before it is tried again. */
const FAILURE_HOLDS_MS = 5 * 60_000;

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
 * Makes a function that reads the answer to a question once for its owner, an execution for example.
 * A failure holds for the run, whose questions are those of its owner: the next one may succeed. What
 * is read may depend on nothing but the owner and the question.
 */
export function readingOnce<Answer>() {
	const answers = new WeakMap<object, Map<string, Promise<Answer>>>();
	const answersOf = (holder: object) => {
		const known = answers.get(holder) ?? new Map<string, Promise<Answer>>();
		answers.set(holder, known);
		return known;
	};
	return async (
		{ owner, run = owner }: { owner: object; run?: object },
		question: unknown,
		read: () => Promise<Answer>,
	): Promise<Answer> => {
		const key = JSON.stringify(question);
		const answer = answersOf(run).get(key) ?? answersOf(owner).get(key) ?? read();
		answersOf(run).set(key, answer);
		if (run !== owner) {
			answersOf(owner).set(key, answer);
			answer.catch(() => answersOf(owner).delete(key));
		}
		return await answer;
	};
}
