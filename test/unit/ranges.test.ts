import {
	listItems,
	listRanges,
	numbersInWords,
	rangesInWords,
} from '../../nodes/MessagingService/parameters/ranges';

const upTo = (count: number, step = 1) => Array.from({ length: count }, (_, index) => index * step);

test.each([
	[[3], 'item 3'],
	[[3, 17, 230], 'items 3, 17 and 230'],
	[upTo(5), 'items 0, 1, 2, 3 and 4'],
	[upTo(6), 'items 0, 1, 2, 3, 4 and 1 more'],
	[upTo(1000), 'items 0, 1, 2, 3, 4 and 995 more'],
])('of some items, five are named: %j', (indexes, words) => {
	expect(listItems(indexes)).toBe(words);
});

test('of ranges of items, twenty are named', () => {
	expect(listRanges([...upTo(42), 43])).toBe('0 to 41, 43');
	expect(listRanges(upTo(20, 2))).toBe(upTo(20, 2).join(', '));
	expect(listRanges(upTo(21, 2))).toBe(`${upTo(20, 2).join(', ')}, ...`);
});

test('ranges that overlap are one', () => {
	const ranges = [
		{ from: 1, to: 9 },
		{ from: 3, to: 4 },
		{ from: 10, to: 12 },
	];
	expect(rangesInWords(ranges)).toBe('1 to 12');
});

test.each([
	['', ''],
	[undefined, ''],
	['3', 'row 3'],
	['3 to 5', 'rows 3 to 5'],
	['3, 7', 'rows 3, 7'],
])('the rows %j are %j', (numbers, words) => {
	expect(numbersInWords('row', 'rows', numbers)).toBe(words);
});
