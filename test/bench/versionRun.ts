/**
 * One measure of the nodes in one or several folders, in n8n's engine, in turns:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/bench/versionRun.ts <measure> <service URL> <scale> <repetitions> <folder>...
 *
 * Prints what each repetition took in each folder, as JSON: the node's milliseconds, those of CPU time of the
 * process, which other processes of a busy machine disturb less, and the megabytes by which the process grew.
 */
import '../support/engineEnvironment.cjs';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { binaryFile } from '../support/binaryFiles';
import type * as Engine from '../support/engine';
import { peakOf, resetPeak } from './peakMemory';

const ACTION = 'Messaging Service';
const [measure = '', baseUrl = '', scale = '1', repetitions = '5', ...folders] =
	process.argv.slice(2);

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.message }}',
	sender: '={{ $json.sender }}',
};
const doNotContactNumbers = Array.from({ length: 5000 }, (_, index) =>
	`+4478${index}`.padEnd(13, '0'),
);

/** Parameters that this version and the one before both understand. */
const MEASURES: Record<string, { rows: number; fromFile?: true; parameters: IDataObject }> = {
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
	file: {
		rows: 1_000_000,
		fromFile: true,
		parameters: {
			...{ resource: 'smsCampaign', operation: 'create', message: 'Hello', sender: 'Bench' },
			...{ contactsSource: 'file', phoneNumberField: 'phone' },
			additionalFields: { otherFields: { name: 'name', custom1: 'city', custom2: 'code' } },
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

/** Writes a CSV file of so many rows and 4 columns. */
async function writeRowsFile(file: string, count: number) {
	const stream = createWriteStream(file);
	stream.write('phone,name,city,code\n');
	for (let first = 0; first < count; first += 1000) {
		const lines = Array.from({ length: Math.min(1000, count - first) }, (_, offset) => {
			const index = first + offset;
			return `+4477${String(index).padStart(8, '0')},Name ${String(index)},Leeds,C${String(index)}\n`;
		});
		if (!stream.write(lines.join(''))) await once(stream, 'drain');
	}
	stream.end();
	await once(stream, 'finish');
}

/** What goes into the node. */
type Input = () => Pick<Parameters<typeof Engine.runAction>[0], 'items' | 'files'>;

async function inputOf(count: number, fromFile: boolean, folder: string): Promise<Input> {
	if (!fromFile) {
		const items = rows(count);
		return () => ({ items });
	}
	const file = path.join(folder, `${String(count)}.csv`);
	await writeRowsFile(file, count);
	return () => ({ files: [binaryFile(file)] });
}

async function measureOnce(
	{ runAction }: Pick<typeof Engine, 'runAction'>,
	parameters: IDataObject,
	input: Input,
) {
	globalThis.gc?.();
	resetPeak(process.pid);
	const { rss } = process.memoryUsage();
	const before = process.cpuUsage();
	const { run, error } = await runAction({
		credential: { baseUrl, authentication: 'none' },
		parameters,
		...input(),
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

async function main(folder: string): Promise<void> {
	const chosen = MEASURES[measure];
	if (chosen === undefined) throw new Error(`Measures: ${Object.keys(MEASURES).join(', ')}`);
	const { parameters, fromFile = false } = chosen;
	const versions = await Promise.all(
		folders.map(async (each) => (await import(`${each}/test/support/engine`)) as typeof Engine),
	);
	const count = Math.max(1, Math.round(chosen.rows * Number(scale)));
	const input = await inputOf(count, fromFile, folder);
	// A large file would leave behind the memory whose growth is measured.
	const warmUp = fromFile ? await inputOf(Math.min(count, 20_000), true, folder) : input;
	const measured = folders.map(() => [] as unknown[]);
	for (let round = -2; round < Number(repetitions); round++) {
		for (const turn of folders.keys()) {
			// Each is the first one as often as the others.
			const which = (round + 2 + turn) % folders.length;
			const version = versions[which];
			if (version === undefined) continue;
			const taken = await measureOnce(version, parameters, round < 0 ? warmUp : input);
			// What is loaded and compiled at the first use is not measured.
			if (round >= 0) measured[which]?.push(taken);
		}
	}
	console.log(JSON.stringify(measured));
}

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
void main(folder).finally(() => rmSync(folder, { recursive: true }));
