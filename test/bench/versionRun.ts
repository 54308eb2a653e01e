/**
 * One measure of the nodes beside this file (`../../nodes`), in n8n's engine, in a process of its own:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/bench/versionRun.ts <measure> <service URL> <scale>
 *
 * Prints what each repetition took, as JSON: the node's milliseconds, and those of CPU time of the
 * process, which other processes of a busy machine disturb less. `versions.mts` copies this file to
 * another version.
 */
import '../support/quietEngine.cjs';
import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/engine';

const ACTION = 'Messaging Service';
const [measure = '', baseUrl = '', scale = '1'] = process.argv.slice(2);

/** Parameters that this version and the one before both understand. */
const MEASURES: Record<string, { rows: number; repetitions: number; parameters: IDataObject }> = {
	send: {
		rows: 1000,
		repetitions: 5,
		parameters: { resource: 'smsMessage', operation: 'send', mappingMode: 'autoMapInputData' },
	},
	campaign: {
		rows: 100_000,
		repetitions: 5,
		parameters: {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Hello',
			sender: 'Bench',
			contactsSource: 'inputItems',
			phoneNumberField: 'phoneNumber',
			otherFields: { name: 'name', custom1: 'city' },
		},
	},
	list: {
		rows: 1,
		repetitions: 5,
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

async function once(parameters: IDataObject, items: IDataObject[]) {
	globalThis.gc?.();
	const before = process.cpuUsage();
	const { run, error } = await runAction({
		credential: { baseUrl, authentication: 'none' },
		parameters,
		items,
	});
	if (error !== undefined) throw error;
	const { user, system } = process.cpuUsage(before);
	const [task] = run.data.resultData.runData[ACTION] ?? [];
	return { milliseconds: task?.executionTime ?? NaN, cpu: (user + system) / 1000 };
}

async function main(): Promise<void> {
	const chosen = MEASURES[measure];
	if (chosen === undefined) throw new Error(`Measures: ${Object.keys(MEASURES).join(', ')}`);
	const { parameters, repetitions } = chosen;
	const items = rows(Math.max(1, Math.round(chosen.rows * Number(scale))));
	// What is loaded and compiled at the first use is not measured.
	for (let round = 0; round < 2; round++) await once(parameters, items);
	const measured: unknown[] = [];
	for (let round = 0; round < repetitions; round++) measured.push(await once(parameters, items));
	console.log(JSON.stringify(measured));
}

void main();
