import { readFileSync } from 'node:fs';
import { describePart } from './stand.ts';

/** The workers whose logs name this execution. */
export async function workersOf(executionId: string): Promise<string[]> {
	const names = ['worker1', 'worker2'] as const;
	const logs = await Promise.all(
		names.map(async (name) => readFileSync((await describePart(name)).logFile, 'utf8')),
	);
	return names.filter((_, index) =>
		new RegExp(`execution ${executionId}\\b`).test(logs[index] ?? ''),
	);
}
