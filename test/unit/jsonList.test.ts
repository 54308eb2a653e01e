import fc from 'fast-check';
import omit from 'lodash/omit';
import { bytesOf, JsonList } from '../../nodes/MessagingService/jsonList';
import { runs } from '../support/runs';

const listOf = (entries: readonly unknown[], list = new JsonList()) => {
	for (const entry of entries) list.push(entry);
	return list;
};
const entries = fc.array(
	fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer())),
	{
		maxLength: 50,
	},
);

describe('JsonList', () => {
	it('gives back what was put in, also when it is used again', () => {
		fc.assert(
			fc.property(entries, entries, (first, second) => {
				const list = listOf(first);
				expect(list.toArray()).toEqual(JSON.parse(JSON.stringify(first)));
				expect(listOf(second, list.clear()).toArray()).toEqual(JSON.parse(JSON.stringify(second)));
			}),
			{ numRuns: runs(100) },
		);
	});

	it('is sent as the bytes of the same JSON', () => {
		fc.assert(
			fc.property(entries, fc.dictionary(fc.string(), fc.string()), (list, others) => {
				const body = omit(others, 'contacts');
				const bytes = bytesOf({ ...body, contacts: listOf(list) });
				expect(JSON.parse(String(bytes))).toEqual(
					JSON.parse(JSON.stringify({ ...body, contacts: list })),
				);
			}),
			{ numRuns: runs(100) },
		);
		expect(bytesOf({ contacts: [] })).toBeUndefined();
	});

	it.each([0, 16_000, 100_000])('is sent beside a text of %i characters, and again', (length) => {
		const list = listOf([{ phoneNumber: '+447700900123' }]);
		const body = { message: 'é'.repeat(length) };
		for (let round = 0; round < 2; round++) {
			expect(JSON.parse(String(bytesOf({ ...body, contacts: list })))).toEqual({
				...body,
				contacts: [{ phoneNumber: '+447700900123' }],
			});
		}
	});
});
