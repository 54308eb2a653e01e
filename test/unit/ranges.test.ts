import fc from 'fast-check';
import { uniq } from 'lodash';
import {
	listAll,
	listItems,
	listRanges,
	readRanges,
} from '../../nodes/MessagingService/parameters/ranges';
import { holds } from '../support/runs';

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

test('what is listed in full is read back', async () => {
	const indexes = fc
		.array(fc.nat({ max: 60 }))
		.map((some) => uniq(some).sort((one, other) => one - other));
	await holds(
		fc.property(indexes, (some) => {
			expect(readRanges(listAll(some))).toEqual(some);
		}),
		200,
	);
});
