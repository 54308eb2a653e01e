/** The runs of results.mts: `resultsRun.ts poll|getSummary|getPhoneNumbers <rounds> <service URL>`. */
import '../support/quietEngine.cjs';
import { byId } from '../support/actionSuite';
import { runAction } from '../support/engine';
import { largeCampaign } from '../support/largeCampaign';
import { PolledWorkflow } from '../support/poll';
import { peakOf, resetPeak } from './peakMemory';

const PAGE_SIZE = 1000;
const [task = '', rounds = '', baseUrl = ''] = process.argv.slice(2);
const credential = { baseUrl, clientId: '1001', authentication: 'none' };

async function operate(operation: string, campaignId: number = largeCampaign.id): Promise<void> {
	const { error } = await runAction({
		credential,
		parameters: {
			resource: 'voiceCampaign',
			operation,
			campaignId: byId(campaignId),
			returnAll: true,
			options: { pageSize: PAGE_SIZE },
		},
	});
	if (error !== undefined) throw error;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
	globalThis.gc?.();
	const started = performance.now();
	await work();
	return performance.now() - started;
}

/** Milliseconds of a poll that finds nothing new, and of the list. */
async function comparePolls(): Promise<number[][]> {
	const workflow = new PolledWorkflow({
		credential,
		parameters: { events: ['callAttempted'] },
	});
	const pairs: number[][] = [];
	// The first rounds find the baseline, and warm up.
	for (let round = -2; round < Number(rounds); round++) {
		const poll = await timeOf(async () => await workflow.poll());
		const list = await timeOf(async () => {
			await operate('getPhoneNumbers');
		});
		if (round >= 0) pairs.push([poll, list]);
	}
	return pairs;
}

/** Megabytes of resident memory at the most, above those before. */
async function memoryOf(operation: string): Promise<number[][]> {
	// What is loaded and compiled at the first use is not the operation's.
	for (let round = 0; round < 5; round++) await operate(operation, 1000);
	globalThis.gc?.();
	const before = process.memoryUsage.rss() / 1024 / 1024;
	resetPeak(process.pid);
	await operate(operation);
	return [[(peakOf(process.pid) ?? NaN) - before]];
}

async function main(): Promise<void> {
	const result = task === 'poll' ? await comparePolls() : await memoryOf(task);
	console.log(JSON.stringify(result));
}

void main();
