import fc from 'fast-check';
import type { RecordStates } from '../../nodes/MessagingService/poll/recordStates';
import {
	decodeStates,
	encodeStates,
	recordId,
} from '../../nodes/MessagingService/poll/recordStates';
import { runs } from '../support/runs';

const sizeOf = (states: RecordStates) =>
	JSON.stringify(JSON.stringify(encodeStates(states))).length;

const STATES = ['[0]', '[1]', '[2]', '[3]', '[1,1]'];

/** 100,000 phone numbers in every state of a campaign that is running. */
function campaign(idOf: (index: number) => number): RecordStates {
	let seed = 1;
	return new Map(
		Array.from({ length: 100_000 }, (_, index) => {
			seed = (seed * 48_271) % 2_147_483_647;
			return [idOf(index), STATES[seed % STATES.length] ?? ''];
		}),
	);
}

describe('record states', () => {
	it('are the same after they were written and read', () => {
		const id = fc.oneof(
			fc.nat({ max: 50 }),
			fc.nat(),
			fc.maxSafeNat(),
			fc.integer(),
			fc.string(),
			fc.constantFrom('__proto__', '0012', '12'),
		);
		const entries = fc.array(fc.tuple(id.map(recordId), fc.string({ maxLength: 5 })));
		fc.assert(
			fc.property(entries, (list) => {
				const states: RecordStates = new Map(list);
				const stored = JSON.parse(JSON.stringify(encodeStates(states))) as never;
				expect(new Map(decodeStates(stored))).toEqual(states);
			}),
			{ numRuns: runs(200) },
		);
	});

	it('take no place for what there is none of', () => {
		expect(encodeStates(new Map())).toEqual({ states: [], records: '' });
		expect(Object.keys(encodeStates(new Map([[1, 'a']])))).toEqual(['states', 'records']);
		expect(encodeStates(new Map([['a', 'b']])).others).toEqual({ a: 'b' });
	});

	it.each([
		['one after the other', (index: number) => 80_001 + index, 110_000],
		['with other campaigns in between', (index: number) => 5_000_000 + index * 7, 110_000],
		['far apart', (index: number) => 5_000_000 + index * 400, 200_000],
	])('of 100,000 numbers with IDs %s are small', (_name, idOf, limit) => {
		const states = campaign(idOf);
		expect(sizeOf(states)).toBeLessThan(limit);
		expect(decodeStates(encodeStates(states))).toEqual(states);
	});

	it('of 100,000 numbers that have not been called take next to nothing', () => {
		const states: RecordStates = new Map(
			Array.from({ length: 100_000 }, (_, index) => [80_001 + index, '[0]']),
		);
		expect(sizeOf(states)).toBeLessThan(100);
	});
});

it.each([
	[12, 12],
	['12', 12],
	['0', 0],
	['123', 123],
	['999999999999', 999_999_999_999],
	['012', '012'],
	[' 12', ' 12'],
	['1.5', '1.5'],
	['1e3', '1e3'],
	[-1, '-1'],
	['-1', '-1'],
	[1.5, '1.5'],
	[2 ** 40 - 1, 2 ** 40 - 1],
	[2 ** 40, String(2 ** 40)],
	['9999999999999', '9999999999999'],
	['a-b', 'a-b'],
	[null, 'null'],
	[undefined, ''],
	[{ a: 1 }, '{"a":1}'],
	[[5], '[5]'],
	[true, 'true'],
])('the ID %j is known as %j', (id, known) => {
	expect(recordId(id)).toBe(known);
});
