import fc from 'fast-check';
import { NumberSet } from '../../../nodes/MessagingService/recipients/file/numberSet';

const key = fc.oneof(
	fc.integer({ min: 1, max: 40 }).map((number) => `+4477009000${number}`),
	fc.stringMatching(/^\+[1-9]\d{0,16}$/),
	fc.stringMatching(/^0\d{0,15}$/),
	fc.string(),
);

describe('NumberSet', () => {
	it('knows what a set knows, whatever the texts are', () => {
		fc.assert(
			fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
				const set = new NumberSet();
				const known = new Set<string>();
				for (const each of keys) {
					expect([each, set.note(each) !== undefined]).toEqual([each, known.has(each)]);
					known.add(each);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	it('tells numbers apart that differ in leading zeros, and takes at most 16 bytes for each', () => {
		const set = new NumberSet();
		const count = 300_000;
		const known = Array.from({ length: count }, (_, row) =>
			set.note(`+4477${String(row).padStart(8, '0')}`),
		).filter((name) => name !== undefined);
		expect(known).toEqual([]);
		expect(set.note('+447700000007')).toBe('an earlier row');
		expect(['7', '07', '007', '+7'].map((each) => set.note(each))).toEqual(
			Array(4).fill(undefined),
		);
		expect(set.bytes / count).toBeLessThanOrEqual(16);
	});
});
