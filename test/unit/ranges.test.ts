import fc from 'fast-check';
import { listRanges } from '../../nodes/MessagingService/resources/shared/ranges';

test.each([
	[[], ''],
	[[0], '0'],
	[[1, 2], '1 to 2'],
	[[43, 0, 1, 2, 41, 10], '0 to 2, 10, 41, 43'],
	[[10, 9, 100], '9 to 10, 100'],
	[[5, 5, 6], '5 to 6'],
])('%j are %j', (indexes, text) => {
	expect(listRanges(indexes)).toBe(text);
});

test('the first 20 ranges are shown, should there be more', () => {
	const every = (count: number) => Array.from({ length: count }, (_, index) => index * 2);
	expect(listRanges(every(20))).toBe(every(20).join(', '));
	expect(listRanges(every(21))).toBe(`${every(20).join(', ')}, ...`);
});

test('the ranges hold exactly the positions, and the list that was given stays as it is', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(30), { maxLength: 20 }), (indexes) => {
			const given = [...indexes];
			const shown = listRanges(indexes)
				.split(', ')
				.filter((range) => range !== '')
				.flatMap((range) => {
					const [from = 0, to = from] = range.split(' to ').map(Number);
					return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
				});
			expect(shown).toEqual([...new Set(indexes)].sort((a, b) => a - b));
			expect(indexes).toEqual(given);
		}),
	);
});
