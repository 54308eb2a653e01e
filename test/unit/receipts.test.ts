import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { uniqBy } from 'lodash';
import {
	packReceipts,
	unpackReceipts,
	type Receipt,
} from '../../nodes/MessagingService/execution/receipts';
import { holds } from '../support/runs';

const PEOPLE = 100_000;
const range = (count: number, first = 0) =>
	Array.from({ length: count }, (_, index) => first + index);
const text = (length: number) => 'x'.repeat(length);
const megabytes = (receipts: readonly Receipt[]) =>
	Buffer.byteLength(packReceipts(receipts)) / 1_000_000;

describe('what n8n stores for the retry of 100,000 people is small', () => {
	test('messages, each with its own ID: 5 MB', () => {
		const receipts = range(PEOPLE).map((item): Receipt => ({
			...{ sent: 'yes', response: randomUUID(), part: 1, item, places: [item] },
			...{ digests: [text(4)], output: { sent: 'yes', reason: 'Accepted', parts: 1 + (item % 3) } },
		}));
		expect(megabytes(receipts)).toBeLessThan(5);
	});

	test.each([
		['input items', { width: 4 }],
		['a typed list', { width: 8, basis: 'a' }],
	])('ten campaigns of %s: 1.2 MB', (_, { width, ...facts }) => {
		const receipts = range(10).map((part): Receipt => ({
			...{ sent: 'yes', response: randomUUID(), part, item: 0, ...facts },
			places: width === 8 ? [] : range(PEOPLE / 10, part * (PEOPLE / 10)),
			digests: range(PEOPLE / 10).map(() => text(width)),
		}));
		expect(megabytes(receipts)).toBeLessThan(1.2);
	});

	test('a file of 1,000,000 rows, of which every third was left out: 0.3 MB', () => {
		const receipts = range(100).map((part): Receipt => ({
			...{ sent: 'yes', response: randomUUID(), part, item: 0, basis: 'a' },
			places: range(10_000, part * 10_000).filter((row) => row % 3 !== 0),
			digests: [],
		}));
		expect(megabytes(receipts)).toBeLessThan(0.3);
	});
});

const response = fc.oneof(fc.uuid(), fc.string(), fc.constant({ id: 7 }), fc.constant(undefined));
/** Tells people apart. */
const digestOf = (place: number, width: number) => String.fromCharCode(65 + place).repeat(width);

/** Each field that a receipt has. */
const receipt = fc
	.record({
		httpCode: fc.constantFrom(undefined, '500', '0'),
		basis: fc.constantFrom(undefined, 'a', 'b'),
		sent: fc.constantFrom('yes' as const, 'possibly' as const),
		response,
		part: fc.integer({ min: 1, max: 9 }),
		item: fc.nat(20),
		places: fc.uniqueArray(fc.nat(60), { maxLength: 30 }),
		output: fc.constantFrom(undefined, { parts: 1 }, { parts: 2, estimatedCost: 0.1 }),
		width: fc.constantFrom(1, 4, 8),
	} satisfies Record<Exclude<keyof Receipt, 'digests'> | 'width', unknown>)
	.map(({ places, width, ...facts }): Receipt => {
		const ascending = places.sort((a, b) => a - b);
		return {
			...facts,
			places: ascending,
			digests: ascending.map((place) => digestOf(place, width)),
		};
	});

/** Receipts of texts to one row each, in any order, which are alike but for the row and its ID. */
const textsTo = (responses: typeof response) =>
	fc
		.tuple(receipt, fc.uniqueArray(fc.nat(20)), fc.infiniteStream(responses))
		.map(([like, items, stream]) =>
			items.map((item): Receipt => {
				const own = { response: stream.next().value as unknown, digests: [digestOf(item, 4)] };
				return { ...like, item, places: [item], ...own };
			}),
		);

/** Nobody has two receipts of one campaign. */
const receiptsOfRun = fc
	.array(
		fc.oneof(
			receipt.map((each) => [each]),
			textsTo(fc.uuid()),
			textsTo(response),
		),
	)
	.map((lists) =>
		uniqBy(lists.flat(), ({ item, places, part }) => JSON.stringify([item, places, part])),
	);

test('what was stored is read back, every receipt once', async () => {
	await holds(
		fc.property(receiptsOfRun, (receipts) => {
			const inOrder = (list: readonly Receipt[]) =>
				list
					.map((each) => Object.entries(each).filter(([, value]) => value !== undefined))
					.map((entries) => JSON.stringify(entries.sort()))
					.sort();
			expect(inOrder(unpackReceipts(packReceipts(receipts)))).toEqual(inOrder(receipts));
		}),
		100,
	);
});
