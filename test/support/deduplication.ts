import { setTimeout as wait } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';

/** What n8n's database has of one node: a list that every change reads and writes as a whole. */
const stored = new Map<string, string[]>();

/** How long a change takes between reading and writing, so that two can meet. */
let latencyMs = () => 0;

/** Whether changes are lost, as those of a process that has died. */
let isFrozen = false;

/** How often the store was asked or changed. */
let calls = 0;

/** Empties the store. */
export function resetProcessedData(): void {
	stored.clear();
	calls = 0;
	isFrozen = false;
	latencyMs = () => 0;
}

/** Loses all changes from now on, or no longer; perhaps with another duration of a change. */
export function freezeProcessedData(frozen: boolean, latency = latencyMs): void {
	isFrozen = frozen;
	latencyMs = latency;
}

/** Stores again what was there before, as a process does that had read the list before it changed. */
export function restoreProcessedData(earlier: readonly string[]): void {
	for (const [name, data] of stored) stored.set(name, [...new Set([...data, ...earlier])]);
}

/** How often the store was asked or changed since it was emptied. */
export function processedDataCalls(): number {
	return calls;
}

/** Everything that is stored, of all nodes. */
export function processedData(): string[] {
	return [...stored.values()].flat();
}

const nameOf = ({ workflow, node }: ICheckProcessedContextData) =>
	`${workflow.id ?? ''} n:${node?.id ?? ''}`;

/** The methods of n8n's DeduplicationHelper that the node uses, in its steps and without a lock. */
const helper = {
	async checkProcessedAndRecord(
		items: (string | number)[],
		_scope: string,
		context: ICheckProcessedContextData,
	) {
		calls++;
		const name = nameOf(context);
		const found = stored.get(name);
		const data = [...(found ?? [])];
		const known = new Set(data);
		const isKnown = (item: string | number) => known.has(String(item));
		const processed = items.filter(isKnown);
		const fresh = items.filter((item) => !isKnown(item));
		data.push(...fresh.map(String));
		await wait(latencyMs());
		// A primary key: only one of two inserts succeeds.
		if (found === undefined && stored.has(name)) throw new Error('UNIQUE constraint failed');
		if (!isFrozen) stored.set(name, data);
		return { new: fresh, processed };
	},
	async removeProcessed(
		items: (string | number)[],
		_scope: string,
		context: ICheckProcessedContextData,
	) {
		calls++;
		const name = nameOf(context);
		const found = stored.get(name);
		if (found === undefined) return;
		const removed = new Set(items.map(String));
		const data = found.filter((item) => !removed.has(item));
		await wait(latencyMs());
		if (!isFrozen) stored.set(name, data);
	},
};

/** Gives n8n's engine the store that n8n has in its database. */
export async function provideProcessedData(): Promise<void> {
	await DataDeduplicationService.init(helper as unknown as IDataDeduplicator);
}
