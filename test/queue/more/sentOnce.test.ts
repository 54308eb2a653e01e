import { readFile } from 'node:fs/promises';
import { describeNeverSendingTwice } from '../../e2e/support/sentOnceSuite.ts';
import { describePart } from '../support/stand.ts';

describe('never sending twice, in queue mode', () => {
	describeNeverSendingTwice(async () => {
		const workers = await Promise.all((['worker1', 'worker2'] as const).map(describePart));
		const logs = await Promise.all(
			workers.map(async ({ logFile }) => await readFile(logFile, 'utf8')),
		);
		return logs.join('\n');
	});
});
