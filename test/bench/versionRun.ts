/**
 * One measure of the nodes in two folders, in n8n's engine, in turns:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/bench/versionRun.ts <measure> <service URL> <scale> <repetitions> <folder> <folder>
 *
 * Prints what each repetition took in each folder, as JSON: the node's milliseconds, those of CPU time of the
 * process, which other processes of a busy machine disturb less, and the megabytes by which the process grew.
 */
import '../support/quietEngine.cjs';
import type { IDataObject } from 'n8n-workflow';
import type * as Engine from '../support/engine';
import { peakOf, resetPeak } from './peakMemory';

const ACTION = 'Messaging Service';
const [measure = '', baseUrl = '', scale = '1', repetitions = '5', ...folders] =
	process.argv.slice(2);

const send = { resource: 'smsMessage', operation: 'send', mappingMode: 'autoMapInputData' };
const doNotContactNumbers = Array.from({ length: 5000 }, (_, index) =>
	`+4478${index}`.padEnd(13, '0'),
);

/** Parameters that this version and the one before both understand. */
const MEASURES: Record<string, { rows: number; parameters: IDataObject }> = {
	send: { rows: 1500, parameters: send },
	leaveOut: {
		rows: 1500,
		parameters: { ...send, options: { doNotContactNumbers: doNotContactNumbers.join('\n') } },
	},
	campaign: {
		rows: 100_000,
		parameters: {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Hello',
			sender: 'Bench',
			contactsSource: 'inputItems',
			phoneNumberField: 'phoneNumber',
			// Where this version has them, and where earlier ones have.
			additionalFields: { otherFields: { name: 'name', custom1: 'city' } },
			otherFields: { name: 'name', custom1: 'city' },
		},
	},
	list: {
		rows: 1,
		parameters: {
			resource: 'phoneNumberStorage',
			operation: 'getAll',
			returnAll: true,
			options: { pageSize: 1000 },
		},
	},
};

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		phoneNumber: `+4477${String(index).padStart(8, '0')}`,
		message: `Hello ${String(index)}`,
		sender: 'Bench',
		name: `Name ${String(index)}`,
		city: 'Leeds',
	}));

async function once(
	{ runAction }: Pick<typeof Engine, 'runAction'>,
	parameters: IDataObject,
	items: IDataObject[],
) {
	globalThis.gc?.();
	resetPeak(process.pid);
	const { rss } = process.memoryUsage();
	const before = process.cpuUsage();
	const { run, error } = await runAction({
		credential: { baseUrl, authentication: 'none' },
		parameters,
		items,
	});
	if (error !== undefined) throw error;
	const { user, system } = process.cpuUsage(before);
	const [task] = run.data.resultData.runData[ACTION] ?? [];
	return {
		milliseconds: task?.executionTime ?? NaN,
		cpu: (user + system) / 1000,
		memory: (peakOf(process.pid) ?? NaN) - rss / 2 ** 20,
	};
}

async function main(): Promise<void> {
	const chosen = MEASURES[measure];
	if (chosen === undefined) throw new Error(`Measures: ${Object.keys(MEASURES).join(', ')}`);
	const [first = '', second = ''] = folders;
	const versions = [
		(await import(`${first}/test/support/engine`)) as typeof Engine,
		(await import(`${second}/test/support/engine`)) as typeof Engine,
	] as const;
	const items = rows(Math.max(1, Math.round(chosen.rows * Number(scale))));
	const measured = [[], []] as [unknown[], unknown[]];
	for (let round = -2; round < Number(repetitions); round++) {
		for (const turn of [0, 1]) {
			// Each is the first one in half of the rounds.
			const which = (round + turn) % 2 === 0 ? 0 : 1;
			const taken = await once(versions[which], chosen.parameters, items);
			// What is loaded and compiled at the first use is not measured.
			if (round >= 0) measured[which].push(taken);
		}
	}
	console.log(JSON.stringify(measured));
}

void main();
