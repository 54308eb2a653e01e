import { anything, flag, integer, listOf, object, text, type Fields } from './fields';

const listed = {
	phoneNumber: anything('+447700900123'),
	policyRule: text('allowedCountries'),
	reason: text('is a number of FR'),
	nextAllowedTime: text('2026-05-04T08:00:00Z'),
};

/** What an error item says of a row, beside the fields of its input item. */
export const ERROR_FIELDS = {
	error: text('Phone Number is empty'),
	phoneNumber: text('07700 900123'),
	description: text('Enter a phone number.'),
	httpStatus: integer(400),
	field: text('Phone Number'),
	sent: text('no'),
	policyRule: text('allowedCountries'),
	allowed: text('Allowed Countries: GB.'),
	nextAllowedTime: text('2026-05-04T08:00:00Z'),
	refusedCount: integer(2),
	refused: listOf(object(listed)),
	skipped: flag(true),
	skippedCount: integer(1),
	created: listOf(object({ id: text('5f0c') })),
	sentRows: text('1 to 30'),
	possiblySentRows: text('31 to 40'),
	continueAtRow: integer(41),
	problemsCount: integer(1),
	problems: listOf(object({})),
} satisfies Fields;
