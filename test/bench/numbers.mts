/**
 * What reading phone numbers costs beside the plain trimming that it replaced:
 *
 *     npm run build && node host/bootstrap.mjs test/bench/numbers.mts [earlier]
 *
 * Prints medians per 100,000 numbers and their ratios, in milliseconds of CPU time: first of the
 * reader alone and then, with the `dist` folder of an earlier version, of all that is done with
 * the recipients of a campaign. Both versions run in turns in this process.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import get from 'lodash/get.js';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { repository } from '../../host/runtime.mjs';
import type * as ReadNumber from '../../nodes/MessagingService/numbers/readNumber.ts';
import type * as Plan from '../../nodes/MessagingService/recipients/plan.ts';
import type * as Contacts from '../../nodes/MessagingService/resources/smsCampaign/contacts.ts';
import type * as Parameters from '../../nodes/MessagingService/resources/shared/parameters.ts';
import { median } from './measure.mts';

const require = createRequire(import.meta.url);
const dist = path.join(repository, 'dist');
const load = <Module,>(folder: string, file: string) =>
	require(path.resolve(folder, 'nodes/MessagingService', file)) as Module;

const { readNumber } = load<typeof ReadNumber>(dist, 'numbers/readNumber.js');
const earlier = process.argv[2];

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

/** CPU time in milliseconds. */
function timeOf(work: () => void): number {
	const started = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(started);
	return (user + system) / 1000;
}

/** Reads and compares all numbers, as a campaign does. */
function compareAll(values: readonly string[], read: (value: string) => { key?: string }): void {
	const seen = new Set<string | undefined>();
	for (const value of values) seen.add(read(value).key);
	if (seen.size !== values.length) throw new Error('Numbers were confused');
}

/** Makes the recipients of a campaign from all input items, by a built version of the package. */
function recipientsBy(folder: string) {
	const { planRecipients } = load<typeof Plan>(folder, 'recipients/plan.js');
	const { contacts } = load<typeof Contacts>(folder, 'resources/smsCampaign/contacts.js');
	const { ParameterReader } = load<typeof Parameters>(folder, 'resources/shared/parameters.js');
	return (values: readonly string[], options: IDataObject): void => {
		const items = values.map((phone) => ({ json: { phone, name: 'Ada' } }));
		const parameters = {
			...{ contactsSource: 'inputItems', phoneNumberField: 'phone', options },
		};
		const context = {
			getNode: () => ({ parameters }),
			getNodeParameter: (name: string) => get(parameters, name) as unknown,
			getInputData: () => items,
		} as unknown as IExecuteFunctions;
		const itemIndexes = items.map((_, index) => index);
		const reader = new ParameterReader(context, itemIndexes);
		const call = { context, itemIndexes, parameters: reader };
		const { batches, invalid } = planRecipients(contacts, call as never);
		if (batches[0]?.recipients.length !== values.length) throw new Error('Numbers were confused');
		if (invalid.length > 0) throw new Error(invalid[0]?.reason);
	};
}

type Work = (values: readonly string[]) => void;

function compare(name: string, write: (end: string) => string, was: Work, is: Work): void {
	const times = { was: [] as number[], is: [] as number[] };
	for (let round = 0; round < ROUNDS; round++) {
		const values = Array.from({ length: COUNT }, (_, index) =>
			write(String(index).padStart(6, '0')),
		);
		times.was.push(timeOf(() => was(values)));
		times.is.push(timeOf(() => is(values)));
	}
	const [before, now] = [median(times.was), median(times.is)];
	console.log(
		`${name.padEnd(20)} before ${before.toFixed(1)} ms, now ${now.toFixed(1)} ms: ${(now / before).toFixed(2)} times, ${(now - before).toFixed(1)} ms more`,
	);
}

console.log('The reader');
for (const { name, write, options } of cases) {
	compare(
		name,
		write,
		(values) => compareAll(values, (value) => before(value) as { key?: string }),
		(values) => compareAll(values, (value) => readNumber(value, options) as { key?: string }),
	);
}
if (earlier !== undefined) {
	console.log('All recipients of a campaign');
	const [was, is] = [recipientsBy(earlier), recipientsBy(dist)];
	for (const { name, write, options } of cases) {
		const { defaultCountry } = options as { defaultCountry?: string };
		const set: IDataObject = defaultCountry === undefined ? {} : { defaultCountry };
		compare(
			name,
			write,
			(values) => was(values, {}),
			(values) => is(values, set),
		);
	}
}
