/**
 * One campaign from so many rows in n8n's engine, in a process of its own:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/bench/growthRun.ts <recipients> <service URL>
 *
 * Prints what it took, as JSON: the node's milliseconds, and the megabytes of resident memory at the
 * most, above those of the process that holds the rows already.
 */
import '../support/quietEngine.cjs';
import { runAction } from '../support/engine';
import { peakOf, resetPeak } from './peakMemory';

const ACTION = 'Messaging Service';
const [recipients = '', baseUrl = ''] = process.argv.slice(2);

async function campaignFrom(items: { phone: string; name: string; city: string }[]) {
	const { run, error } = await runAction({
		credential: { baseUrl, authentication: 'none' },
		parameters: {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Hello',
			sender: 'Bench',
			contactsSource: 'inputItems',
			phoneNumberField: 'phone',
			additionalFields: { otherFields: { name: 'name', custom1: 'city' } },
		},
		items,
	});
	if (error !== undefined) throw error;
	return run.data.resultData.runData[ACTION]?.[0]?.executionTime ?? NaN;
}

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		phone: `+4477${String(index).padStart(8, '0')}`,
		name: `Name ${String(index)}`,
		city: 'Leeds',
	}));

async function main(): Promise<void> {
	// What is loaded and compiled at the first use is not growth.
	for (let round = 0; round < 5; round++) await campaignFrom(rows(1000));
	const items = rows(Number(recipients));
	globalThis.gc?.();
	const before = process.memoryUsage.rss() / 1024 / 1024;
	resetPeak(process.pid);
	const milliseconds = await campaignFrom(items);
	const peak = peakOf(process.pid);
	console.log(
		JSON.stringify({ milliseconds, megabytes: peak === undefined ? NaN : peak - before }),
	);
}

void main();
