/** A phone number as text, or what is wrong with it (continuing "Phone Number ..."). */
export type PhoneNumberReading =
	{ number: string; problem?: undefined } | { number?: undefined; problem: string };

const KEEP_AS_TEXT =
	'format the column as text in the spreadsheet (or put an apostrophe before the number) and import it again';

/**
 * Reads a phone number from whatever a spreadsheet or database gives. A JSON number becomes its
 * digits. One that has already lost digits (exponent form, or beyond 2^53) is refused: sending it
 * would reach a stranger.
 */
export function readPhoneNumber(value: unknown): PhoneNumberReading {
	if (typeof value === 'number' || typeof value === 'bigint') {
		if (value < 0 || (typeof value === 'number' && !Number.isSafeInteger(value))) {
			return { problem: `is a number that has lost digits (${value}): ${KEEP_AS_TEXT}` };
		}
		return { number: String(value) };
	}
	if (value === undefined || value === null) return { problem: 'is empty' };
	if (typeof value !== 'string') return { problem: 'is neither text nor a number' };
	const text = value.trim();
	if (text === '') return { problem: 'is empty' };
	if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) {
		return { problem: `is in exponent form and has lost digits (${text}): ${KEEP_AS_TEXT}` };
	}
	return { number: text };
}
