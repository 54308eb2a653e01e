import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FileReading } from '../../support/hostileFiles';

const repository = path.resolve(__dirname, '../../..');

async function readAll(): Promise<Map<string, FileReading>> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[
			...['--expose-gc', '--require', './test/bench/typescript.cjs'],
			'./test/support/hostileFiles.ts',
		],
		{ cwd: repository },
	);
	const lines = stdout.trim().split('\n');
	return new Map(
		lines.map((line) => {
			const reading = JSON.parse(line) as FileReading;
			return [reading.name, reading];
		}),
	);
}

/** Far more than any of them takes, and far less than any of them is long. */
const MOST_MEGABYTES = 80;
/** An error is found before much is read. */
const MOST_READ = 3;
const TOO_LONG = 'is longer than 1000000 characters';

describe('a file of a gigabyte that is no list', () => {
	let readings: Map<string, FileReading>;
	beforeAll(async () => {
		readings = await readAll();
	}, 300_000);

	test.each([
		['gzip bomb', 'The file contains binary data'],
		['gzip bomb in an encoding', 'The file contains binary data'],
		['endless line', `Line 3 of the file ${TOO_LONG}`],
		['endless header', `Line 1 of the file ${TOO_LONG}`],
		['unclosed quote', `Line 3 of the file ${TOO_LONG}`],
		['endless cells', `Line 3 of the file ${TOO_LONG}`],
		['endless columns', `Line 2 of the file ${TOO_LONG}`],
		['endless JSON line', `Line 2 of the file ${TOO_LONG}`],
		['rubbish in a list', 'The file contains binary data'],
		['rubbish', 'The file contains binary data'],
		['rubbish without zeros', 'Phone Number Field names "phone", which is no column of the file'],
	])('%s: says where and what, with little memory', (name, message) => {
		const { read, growth = 0, ...reading } = readings.get(name) as FileReading;
		expect(reading).toEqual({ name, message });
		expect(read).toBeLessThan(MOST_READ);
		expect(growth).toBeLessThan(MOST_MEGABYTES);
	});

	test.each([
		['rubbish rows', 50_000],
		['endless duplicates', 500_000],
	])('%s: are left out, with little memory', (name, least) => {
		const { rows, recipients, growth = 0 } = readings.get(name) as FileReading;
		expect(rows).toBeGreaterThan(least);
		expect(recipients).toBe(1);
		expect(growth).toBeLessThan(MOST_MEGABYTES);
	});
});
