import fc from 'fast-check';
import type { RecordStates } from '../../nodes/MessagingService/poll/recordStates';
import { decodeStates, encodeStates, idOf } from '../../nodes/MessagingService/poll/recordStates';
import { holds } from '../support/runs';

test('what a poll knows of each record is the same after n8n has stored it, with any ID', async () => {
	const id = fc.oneof(
		fc.nat({ max: 50 }),
		fc.nat(),
		fc.maxSafeNat(),
		fc.integer(),
		fc.string(),
		fc.constantFrom('__proto__', '0012', '12'),
	);
	const entries = fc.array(fc.tuple(id.map(String), fc.string({ maxLength: 5 })));
	await holds(
		fc.property(entries, (list) => {
			const states: RecordStates = new Map(list);
			const stored = JSON.parse(JSON.stringify(encodeStates(states))) as never;
			expect(new Map(decodeStates(stored))).toEqual(states);
		}),
		200,
	);
});

test('IDs that differ as texts are different records', () => {
	const ids = ['12', '012', ' 12', '1.5', '1e3', '-1', 2 ** 40, 'a-b', null];
	expect(new Set(ids.map((id) => idOf({ id }))).size).toBe(ids.length);
	expect(idOf({ id: '12' })).toBe(idOf({ id: 12 }));
});
