import { readPhoneNumber } from '../resources/shared/phoneNumbers';

/** What a raw value gives as a recipient's phone number. */
export interface RecipientNumber {
	/** The number as it is sent; an invalid value as text, for those who send it anyway. */
	number: string;
	/** What is wrong with it, continuing "the phone number ...". */
	problem?: string;
	/** How to fix it. */
	advice?: string;
	/** Equal for the usual spellings of one number. */
	duplicateKey: string;
}

/** The only place where a raw value of a row becomes a phone number. */
export function readRecipientNumber(value: unknown): RecipientNumber {
	const reading = readPhoneNumber(value);
	if (reading.problem === undefined) {
		return { number: reading.number, duplicateKey: comparable(reading.number) };
	}
	const number = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const { problem, advice } = reading;
	return { number, problem, advice, duplicateKey: comparable(number) };
}

/** `+44 7700 900123`, `00447700900123` and `447700900123` are one number. */
function comparable(number: string): string {
	// The usual form first, unchanged: of 100,000 numbers, each copy counts.
	if (/^\+[1-9]\d*$/.test(number)) return number;
	const digits = number.replace(/\D/g, '').replace(/^00/, '');
	return digits === '' ? number : `+${digits}`;
}
