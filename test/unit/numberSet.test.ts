import fc from 'fast-check';
import { NumberSet } from '../../nodes/MessagingService/recipients/numberSet';
import { runs } from '../support/runs';

const key = fc.oneof(
	fc.integer({ min: 1, max: 40 }).map((number) => `+4477009000${number}`),
	fc.stringMatching(/^\+[1-9]\d{0,16}$/),
	fc.stringMatching(/^0\d{0,15}$/),
	fc.string(),
);

describe('NumberSet', () => {
	it('knows what a set knows', () => {
		fc.assert(
			fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
				const set = new NumberSet();
				const known = new Set<string>();
				for (const each of keys) {
					expect([each, set.add(each)]).toEqual([each, known.has(each)]);
					known.add(each);
				}
			}),
			{ numRuns: runs(100) },
		);
	});

	it('tells 300,000 numbers apart, and those with other leading zeros', () => {
		const set = new NumberSet();
		const numbers = Array.from(
			{ length: 300_000 },
			(_, row) => `+4477${String(row).padStart(8, '0')}`,
		);
		expect(numbers.filter((number) => set.add(number))).toEqual([]);
		expect(numbers.filter((number) => !set.add(number))).toEqual([]);
		expect(['7', '07', '007', '+7'].map((each) => set.add(each))).toEqual(Array(4).fill(false));
	});
});
