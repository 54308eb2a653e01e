import fc from 'fast-check';
import { EarlierNumbers } from '../../nodes/MessagingService/recipients/earlierNumbers';
import { holds } from '../support/runs';

const key = fc.oneof(
	fc.integer({ min: 1, max: 40 }).map((number) => `+4477009000${number}`),
	fc.stringMatching(/^\+[1-9]\d{0,16}$/),
	fc.stringMatching(/^0\d{0,15}$/),
	fc.string(),
);

describe('the earlier numbers', () => {
	it('name the first place of each, as a map does', async () => {
		await holds(
			fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
				const earlier = new EarlierNumbers();
				const places = new Map<string, number>();
				keys.forEach((each, place) => {
					expect([each, earlier.note(each, place)]).toEqual([each, places.get(each)]);
					if (!places.has(each)) places.set(each, place);
				});
			}),
			100,
		);
	});

	it('tell long numbers apart that differ in their last digit', () => {
		const earlier = new EarlierNumbers();
		const [first, other] = ['+90071992547409920', '+90071992547409921'];
		expect([first, other, first].map((each, place) => earlier.note(each, place))).toEqual([
			...[undefined, undefined, 0],
		]);
	});

	it('name the place of each of 300,000 different numbers', () => {
		const earlier = new EarlierNumbers();
		const numbers = Array.from(
			{ length: 300_000 },
			(_, row) => `+4477${String(row).padStart(8, '0')}`,
		);
		const note = (number: string, place: number) => earlier.note(number, place);
		expect(numbers.map(note).filter((place) => place !== undefined)).toHaveLength(0);
		const wrong = numbers.map(note).filter((place, index) => place !== index);
		expect(wrong.slice(0, 10)).toEqual([]);
		expect(['7', '07', '007', '+7'].map(note)).toEqual(Array(4).fill(undefined));
	});
});
