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

	it('tells numbers apart that differ in leading zeros, and takes at most 16 bytes for each', () => {
		const set = new NumberSet();
		const count = 300_000;
		const known = Array.from({ length: count }, (_, row) =>
			set.add(`+4477${String(row).padStart(8, '0')}`),
		);
		expect(known).not.toContain(true);
		expect(set.add('+447700000007')).toBe(true);
		expect(['7', '07', '007', '+7'].map((each) => set.add(each))).toEqual(Array(4).fill(false));
		expect(set.bytes / count).toBeLessThanOrEqual(16);
	});

	it('keeps many texts, in at most twice the memory of numbers', () => {
		const set = new NumberSet();
		const texts = Array.from({ length: 12_000 }, (_, row) => `Bob ${String(row)}`);
		expect(texts.filter((text) => set.add(text))).toEqual([]);
		expect(texts.filter((text) => !set.add(text))).toEqual([]);
		expect(set.bytes / texts.length).toBeLessThanOrEqual(32);
	});
});
