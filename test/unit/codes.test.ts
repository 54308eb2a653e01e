import { codeName, OUTCOMES, SMS_STATUSES, STAGES } from '../../nodes/MessagingService/codes';
import * as tables from './support/interfaceTables';

test.each([
	['outcome', OUTCOMES, tables.OUTCOMES, 13],
	['stage', STAGES, tables.STAGES, 21],
	['SMS status', SMS_STATUSES, tables.SMS_STATUSES, 13],
] as const)('the %s codes are those of the interface', (_, table, entries, count) => {
	expect(entries).toHaveLength(count);
	expect(table).toEqual(Object.fromEntries(entries));
});

test('a code that the interface does not show is told by its number', () => {
	expect([OUTCOMES, STAGES, SMS_STATUSES].map((table) => codeName(table, 99))).toEqual(
		Array(3).fill('Code 99'),
	);
});
