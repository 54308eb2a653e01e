import { readNumber, type NumberOptions } from '../numbers/readNumber';

/**
 * The only place where a raw value of a row becomes a phone number. One that is not used has its text,
 * for those who send it anyway.
 */
export function readRecipientNumber(value: unknown, options: NumberOptions) {
	const reading = readNumber(value, options);
	if (reading.problem === undefined) return reading;
	const isText = ['string', 'number', 'bigint'].includes(typeof value);
	const number = isText ? String(value) : '';
	return { ...reading, number, key: comparisonKey(number, value, options) };
}

/** What a number that is sent as entered is compared by: the number, its digits or its text. */
function comparisonKey(text: string, value: unknown, options: NumberOptions): string | undefined {
	const reading = readNumber(value, { ...options, allowedTypes: undefined });
	if (reading.problem === undefined) return reading.key;
	if (!/^[\d\s()[\].+/-]*\d[\d\s()[\].+/-]*$/.test(text)) return text.trim() || undefined;
	const digits = text.replace(/\D/g, '');
	return digits.startsWith('0') ? digits : `+${digits}`;
}
