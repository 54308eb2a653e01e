import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/**
 * How long a claim must have been stored before it counts. n8n's store reads, changes and writes a
 * whole list without a lock: a process that writes at the same time may remove a claim just made.
 */
export const SETTLE_MS = 1000;

/** A set of texts that outlives executions, kept by n8n for this node of this workflow. */
export interface ClaimStore {
	/** Adds texts. @returns those that it had before */
	add(texts: readonly string[], attempts?: number): Promise<Set<string>>;
	remove(texts: readonly string[]): Promise<void>;
}

const ATTEMPTS = 5;

/** n8n removes the oldest texts beyond so many. */
const MAX_ENTRIES = 10_000;

/** The store behind n8n's Remove Duplicates node; it keeps only hashes of the texts. */
export function claimStoreOf({ helpers }: IExecuteFunctions): ClaimStore {
	const options = { mode: 'entries', maxEntries: MAX_ENTRIES } as const;
	return {
		async add(texts, attempts = ATTEMPTS) {
			const { processed } = await persistently(attempts, async () =>
				helpers.checkProcessedAndRecord([...texts], 'node', options),
			);
			return new Set(processed.map(String));
		},
		async remove(texts) {
			await persistently(ATTEMPTS, async () =>
				helpers.removeProcessed([...texts], 'node', options),
			);
		},
	};
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
