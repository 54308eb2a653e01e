/**
 * What reading phone numbers costs beside the plain trimming that it replaced:
 *
 *     npm run build && node host/bootstrap.mjs test/bench/numbers.mts
 *
 * Prints medians per 100,000 numbers and their ratios. Both run in turns in this process.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { repository } from '../../host/runtime.mjs';
import type * as ReadNumber from '../../nodes/MessagingService/numbers/readNumber.ts';
import { median } from './measure.mts';

const folder = process.argv[2] ?? path.join(repository, 'dist');
const { readNumber } = createRequire(import.meta.url)(
	path.join(folder, 'nodes/MessagingService/numbers/readNumber.js'),
) as typeof ReadNumber;

const COUNT = 100_000;
const ROUNDS = 41;

/** What version 0.1.0 did with a number: trim it, look for exponents, make a key for duplicates. */
function before(value: unknown): { number: string; key: string } | { problem: string } {
	if (typeof value !== 'string') return { problem: 'is neither text nor a number' };
	const text = value.trim();
	if (text === '') return { problem: 'is empty' };
	if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) return { problem: 'has lost digits' };
	const reading: { number?: string; problem?: string } = { number: text };
	const number = reading.number ?? '';
	if (/^\+[1-9]\d*$/.test(number)) return { number, key: number };
	const digits = number.replace(/\D/g, '').replace(/^00/, '');
	return { number, key: digits === '' ? number : `+${digits}` };
}

const international = { format: 'international' } as const;
const british = { format: 'international', defaultCountry: 'GB' } as const;
const cases = [
	{ name: '+447700900123', write: (end: string) => `+447700${end}`, options: international },
	{ name: '07700900123', write: (end: string) => `07700${end}`, options: british },
	{
		name: '07700 900 123',
		write: (end: string) => `07700 ${end.slice(0, 3)} ${end.slice(3)}`,
		options: british,
	},
	{
		name: '+44 7700 900 123',
		write: (end: string) => `+44 7700 ${end.slice(0, 3)} ${end.slice(3)}`,
		options: international,
	},
	{
		name: '0044 (0)7700 900123',
		write: (end: string) => `0044 (0)7700 ${end}`,
		options: international,
	},
];

/** Reads and compares all numbers, as a campaign does; answers the milliseconds. */
function timeOf(values: readonly string[], read: (value: string) => { key?: string }): number {
	const started = performance.now();
	const seen = new Set<string | undefined>();
	for (const value of values) seen.add(read(value).key);
	if (seen.size !== values.length) throw new Error('Numbers were confused');
	return performance.now() - started;
}

for (const { name, write, options } of cases) {
	const times = { before: [] as number[], now: [] as number[] };
	for (let round = 0; round < ROUNDS; round++) {
		const values = Array.from({ length: COUNT }, (_, index) =>
			write(String(index).padStart(6, '0')),
		);
		times.before.push(timeOf(values, (value) => before(value) as { key?: string }));
		times.now.push(timeOf(values, (value) => readNumber(value, options) as { key?: string }));
	}
	const [was, is] = [median(times.before), median(times.now)];
	console.log(
		`${name.padEnd(20)} before ${was.toFixed(1)} ms, now ${is.toFixed(1)} ms: ${(is / was).toFixed(2)} times, ${(is - was).toFixed(1)} ms more`,
	);
}
