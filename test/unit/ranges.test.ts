import fc from 'fast-check';
import { listItems, listRanges } from '../../nodes/MessagingService/parameters/ranges';
import { runs } from '../support/runs';

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
		{ numRuns: runs(100) },
	);
});

describe('a list of items', () => {
	test.each([
		[[3], 'item 3'],
		[[3, 17], 'items 3 and 17'],
		[[3, 17, 230], 'items 3, 17 and 230'],
		[[1, 2, 3, 4, 5], 'items 1, 2, 3, 4 and 5'],
		[[1, 2, 3, 4, 5, 6], 'items 1, 2, 3, 4, 5 and 1 more'],
		[Array.from({ length: 1000 }, (_, index) => index), 'items 0, 1, 2, 3, 4 and 995 more'],
	])('of %j reads well', (indexes, text) => {
		expect(listItems(indexes)).toBe(text);
	});

	test('may be of something else', () => {
		expect(listItems([2], 'entry', 'entries')).toBe('entry 2');
		expect(listItems([2, 4], 'entry', 'entries')).toBe('entries 2 and 4');
	});
});
