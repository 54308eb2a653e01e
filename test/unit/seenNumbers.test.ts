import fc from 'fast-check';
import { range } from 'lodash';
import { SeenNumbers } from '../../nodes/MessagingService/recipients/seenNumbers';
import { holds } from '../support/runs';

const key = fc.oneof(
	fc.integer({ min: 1, max: 40 }).map((number) => `+4477009000${number}`),
	fc.stringMatching(/^\+[1-9]\d{0,16}$/),
	fc.integer({ min: 1, max: 40 }).map((number) => `07700 9000${number}`),
	fc.stringMatching(/^0\d{0,15}$/),
	fc.string(),
);

describe('the earlier numbers', () => {
	it('name the first place of each, as a map does', async () => {
		await holds(
			fc.property(fc.array(key, { maxLength: 300, size: 'max' }), (keys) => {
				const earlier = new SeenNumbers();
				const places = new Map<string, number>();
				keys.forEach((each, place) => {
					expect([each, earlier.note(each, place)]).toEqual([each, places.get(each)]);
					if (!places.has(each)) places.set(each, place);
				});
			}),
			40,
		);
	});

	/** Random ones share slots, as those of people do; numbers that follow each other never do. */
	const random = (count: number) =>
		fc.sample(fc.noBias(fc.integer({ min: 1e9, max: 999_999_999_999_999 })), {
			...{ numRuns: count, seed: count },
		});
	it.each([
		['1,000 random numbers', random(1000)],
		['100,000 random numbers', random(100_000)],
		['numbers in steps of 1,024', range(0, 20_000 * 1024, 1024).map((step) => 4477e8 + step)],
		['numbers that differ beyond 32 bits only', range(1000).map((step) => 4477e8 + step * 2 ** 32)],
	])('find each again in a list of %s', (_, numbers) => {
		const earlier = new SeenNumbers();
		const keys = [...new Set(numbers)].map((number) => `+${String(number)}`);
		const note = (number: string, place: number) => earlier.note(number, place);
		expect(keys.filter((each, place) => note(each, place) !== undefined)).toEqual([]);
		expect(keys.filter((each, place) => note(each, -1) !== place).slice(0, 10)).toEqual([]);
	});

	it('tell long numbers apart that differ in their last digit', () => {
		const earlier = new SeenNumbers();
		const [first, other] = ['+90071992547409920', '+90071992547409921'];
		expect([first, other, first].map((each, place) => earlier.note(each, place))).toEqual([
			...[undefined, undefined, 0],
		]);
	});

	it('name the place of each of 300,000 different numbers', () => {
		const earlier = new SeenNumbers();
		const numbers = Array.from(
			{ length: 300_000 },
			(_, row) => `+4477${String(row).padStart(8, '0')}`,
		);
		const note = (number: string, place: number) => earlier.note(number, place);
		expect(numbers.map(note).filter((place) => place !== undefined)).toHaveLength(0);
		const wrong = numbers.map(note).filter((place, index) => place !== index);
		expect(wrong.slice(0, 10)).toEqual([]);
		expect(['7', '07', '007', '+7', '+07'].map(note)).toEqual(Array(5).fill(undefined));
	});
});
