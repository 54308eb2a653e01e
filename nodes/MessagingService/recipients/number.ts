import type { NumberProblem } from '../numbers/cell';
import { readNumber, type NumberOptions, type ReadNumber } from '../numbers/readNumber';

/** A value that is not used as a phone number, and its text for those who send it anyway. */
export interface InvalidNumber extends NumberProblem {
	number: string;
}

export type RecipientNumber = ReadNumber | InvalidNumber;

/** The only place where a raw value of a row becomes a phone number. */
export function readRecipientNumber(value: unknown, options: NumberOptions): RecipientNumber {
	const reading = readNumber(value, options);
	if (reading.problem === undefined) return reading;
	const isText = ['string', 'number', 'bigint'].includes(typeof value);
	return { ...reading, number: isText ? String(value) : '' };
}
