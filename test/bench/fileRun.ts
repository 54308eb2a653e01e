/**
 * Campaigns from a file of so many rows and 4 columns in n8n's engine, in a process of its own:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/bench/fileRun.ts <rows> <service URL>
 *
 * Prints what it took, as JSON: the milliseconds of the node and of the processor, and the megabytes
 * of resident memory at the most, above those of the process before.
 */
import '../support/quietEngine.cjs';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { binaryFile } from '../support/binaryFiles';
import { runAction } from '../support/engine';
import { peakOf, resetPeak } from './peakMemory';

const ACTION = 'Messaging Service';
const [rows = '', baseUrl = ''] = process.argv.slice(2);

/** Writes a CSV file of so many rows and 4 columns. */
async function writeRowsFile(file: string, rows: number): Promise<void> {
	const stream = createWriteStream(file);
	stream.write('phone,name,city,code\n');
	for (let first = 0; first < rows; first += 1000) {
		const lines = Array.from({ length: Math.min(1000, rows - first) }, (_, offset) => {
			const index = first + offset;
			return `+4477${String(index).padStart(8, '0')},Name ${String(index)},Leeds,C${String(index)}\n`;
		});
		if (!stream.write(lines.join(''))) await once(stream, 'drain');
	}
	stream.end();
	await once(stream, 'finish');
}

async function sendFile(file: string) {
	const { run, error } = await runAction({
		credential: { baseUrl, authentication: 'none' },
		parameters: {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Hello',
			sender: 'Bench',
			contactsSource: 'file',
			phoneNumberField: 'phone',
			additionalFields: { otherFields: { name: 'name', custom1: 'city', custom2: 'code' } },
		},
		files: [binaryFile(file)],
	});
	if (error !== undefined) throw error;
	return run.data.resultData.runData[ACTION]?.[0]?.executionTime ?? NaN;
}

async function main(): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'file-bench-'));
	try {
		const [few, many] = ['few.csv', 'many.csv'].map((name) => path.join(folder, name)) as [
			string,
			string,
		];
		await writeRowsFile(few, 20_000);
		await writeRowsFile(many, Number(rows));
		// What is loaded and compiled at the first use is not growth.
		for (let round = 0; round < 2; round++) await sendFile(few);
		globalThis.gc?.();
		const before = process.memoryUsage.rss() / 1024 / 1024;
		resetPeak(process.pid);
		const start = process.cpuUsage();
		const milliseconds = await sendFile(many);
		const { user, system } = process.cpuUsage(start);
		const peak = peakOf(process.pid);
		console.log(
			JSON.stringify({
				milliseconds,
				processor: Math.round((user + system) / 1000),
				megabytes: peak === undefined ? NaN : peak - before,
			}),
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

void main();
