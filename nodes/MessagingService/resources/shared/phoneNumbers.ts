import { shown } from './inputError';

/** A phone number as text, or what is wrong with it (continuing "Phone Number ...") and how to fix it. */
export type PhoneNumberReading =
	{ number: string; problem?: undefined } | { number?: undefined; problem: string; advice: string };

const LOST_DIGITS =
	'Format the column as text in the spreadsheet (or put an apostrophe before the number) and import it again.';
const NO_NUMBER = 'Enter a number in international form, for example +447700900123.';

/**
 * Reads a phone number from whatever a spreadsheet or database gives. A JSON number becomes its
 * digits. One that has already lost digits (exponent form, or beyond 2^53) is refused: sending it
 * would reach a stranger.
 */
export function readPhoneNumber(value: unknown): PhoneNumberReading {
	// A function: of 100,000 numbers, hardly any needs it.
	const lostDigits = () => ({
		problem: `has lost digits (${shown(value)})`,
		advice: LOST_DIGITS,
	});
	if (typeof value === 'number' || typeof value === 'bigint') {
		const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
		return value < 0 || !isWhole ? lostDigits() : { number: String(value) };
	}
	if (value === undefined || value === null) return { problem: 'is empty', advice: NO_NUMBER };
	if (typeof value !== 'string') {
		return { problem: 'is neither text nor a number', advice: NO_NUMBER };
	}
	const text = value.trim();
	if (text === '') return { problem: 'is empty', advice: NO_NUMBER };
	return /^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text) ? lostDigits() : { number: text };
}
