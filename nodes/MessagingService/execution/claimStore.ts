import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * How long a claim must have been stored before it counts. n8n's store reads, changes and writes a
 * whole list without a lock: a process that writes at the same time may remove a claim just made.
 */
export const SETTLE_MS = 1000;

/** A set of texts that outlives executions, kept by n8n for this node of this workflow. */
export interface ClaimStore {
	/** Adds texts. @returns those that it had before */
	add(texts: readonly string[]): Promise<Set<string>>;
	remove(texts: readonly string[]): Promise<void>;
}

/** The store behind n8n's Remove Duplicates node; it keeps only hashes of the texts. */
export function claimStoreOf({ helpers }: IExecuteFunctions): ClaimStore {
	return {
		async add(texts) {
			const { processed } = await helpers.checkProcessedAndRecord([...texts], 'node', {
				mode: 'entries',
			});
			return new Set(processed.map(String));
		},
		async remove(texts) {
			if (texts.length === 0) return;
			await helpers.removeProcessed([...texts], 'node', { mode: 'entries' });
		},
	};
}
