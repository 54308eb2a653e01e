import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/**
 * How long a claim must have been stored before it counts. n8n's store reads, changes and writes a
 * whole list without a lock: a process that writes at the same time may remove a claim just made.
 */
export const SETTLE_MS = 1000;

const ATTEMPTS = 5;

/** n8n removes the oldest texts beyond so many. */
const OPTIONS = { mode: 'entries', maxEntries: 10_000 } as const;

/**
 * Adds texts to the store behind n8n's Remove Duplicates node, which outlives executions. It keeps
 * only hashes of the texts, for this node of this workflow.
 * @returns those that it had before
 */
export async function addTexts(
	{ helpers }: IExecuteFunctions,
	texts: string[],
	attempts = ATTEMPTS,
): Promise<Set<string>> {
	const { processed } = await persistently(attempts, async () =>
		helpers.checkProcessedAndRecord(texts, 'node', OPTIONS),
	);
	return new Set(processed.map(String));
}

/** Removes texts from the store. */
export async function removeTexts({ helpers }: IExecuteFunctions, texts: string[]): Promise<void> {
	await persistently(ATTEMPTS, async () => helpers.removeProcessed(texts, 'node', OPTIONS));
}

/** The database may be busy, and of two executions that store the first text of the node, one fails. */
async function persistently<Result>(
	attempts: number,
	change: () => Promise<Result>,
): Promise<Result> {
	let problem: unknown;
	for (let attempt = 1; attempt <= attempts; attempt++) {
		if (attempt > 1) await sleep((SETTLE_MS / 4) * (1 + Math.random()));
		try {
			return await change();
		} catch (error) {
			problem = error;
		}
	}
	throw problem;
}
