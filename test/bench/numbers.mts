/**
 * What reading phone numbers costs, beside an earlier version of the reader:
 *
 *     npm run build && node host/bootstrap.mjs test/bench/numbers.mts [dist of the earlier version]
 *
 * Prints medians (and quartiles) of milliseconds of CPU time for 100,000 numbers, and their ratio.
 * Both versions run in turns in this process.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { repository } from '../../host/runtime.mjs';
import type * as Reader from '../../nodes/MessagingService/numbers/readNumber.ts';

const require = createRequire(import.meta.url);
const readerOf = (dist: string) =>
	require(path.resolve(dist, 'nodes/MessagingService/numbers/readNumber.js')) as typeof Reader;

const COUNT = 100_000;
const ROUNDS = 15;
const now = readerOf(path.join(repository, 'dist'));
const before = readerOf(process.argv[2] ?? path.join(repository, 'dist'));

const international = { format: 'international' } as const;
const british = { format: 'international', defaultCountry: 'GB' } as const;
const german = { format: 'international', defaultCountry: 'DE' } as const;
const cases = [
	{ name: '+447400900123', write: (end: string) => `+447400${end}`, options: international },
	{ name: '07400900123', write: (end: string) => `07400${end}`, options: british },
	{ name: '7400900123', write: (end: string) => `7400${end}`, options: british },
	{
		name: '07400 900 123',
		write: (end: string) => `07400 ${end.slice(0, 3)} ${end.slice(3)}`,
		options: british,
	},
	{
		name: '+44 7400 900 123',
		write: (end: string) => `+44 7400 ${end.slice(0, 3)} ${end.slice(3)}`,
		options: international,
	},
	{
		name: '0044 (0)7400 900123',
		write: (end: string) => `0044 (0)7400 ${end}`,
		options: international,
	},
	{ name: '0151/23900123', write: (end: string) => `0151/23${end}`, options: german },
];

/** CPU time in milliseconds. */
function timeOf(work: () => void): number {
	const started = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(started);
	return (user + system) / 1000;
}

const quantile = (sorted: readonly number[], part: number) =>
	sorted[Math.floor((sorted.length - 1) * part)] ?? 0;

function shown(times: number[]): string {
	const sorted = times.sort((a, b) => a - b);
	const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(sorted, part).toFixed(0));
	return `${middle} ms (${low} to ${high})`;
}

for (const { name, write, options } of cases) {
	const times = { before: [] as number[], now: [] as number[] };
	for (let round = 0; round < ROUNDS; round++) {
		const values = Array.from({ length: COUNT }, (_, index) =>
			write(String(index).padStart(6, '0')),
		);
		for (const [version, { readNumber }] of [
			['before', before],
			['now', now],
		] as const) {
			times[version].push(
				timeOf(() => {
					for (const value of values) readNumber(value, options);
				}),
			);
		}
	}
	const text = `${name.padEnd(20)} before ${shown(times.before)}, now ${shown(times.now)}`;
	const ratio = quantile(times.now, 0.5) / quantile(times.before, 0.5);
	console.log(`${text}: ${ratio.toFixed(2)} times`);
}
