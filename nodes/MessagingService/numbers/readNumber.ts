import { readCell } from './cell';
import { classify, numberingPlanOf } from './plans';
import { complete, isWrittenInFull } from './complete';
import { regionIn } from './countries';
import type { NumberType } from './numberTypes';
import { invalid, notAllowed, rounded, type NoNumber } from './problems';
import { personKey } from './samePerson';

/** How phone numbers are read and checked. */
export interface NumberOptions {
	/**
	 * ISO 3166-1 alpha-2: completes numbers without country code. Empty: the row does not say its
	 * country, and a number without country code is invalid.
	 */
	defaultCountry?: string;
	/** Whether people have entered it: a spreadsheet may have rounded it. */
	isEntered?: boolean;
	/** What is sent: E.164 where the number can be determined, or what the cell holds. */
	format: 'international' | 'asEntered';
	/** Numbers of other types are invalid. None: all types are allowed. */
	allowedTypes?: ReadonlySet<NumberType>;
}

/**
 * How numbers are read to compare them.
 * @param country Default Country of the credential, as entered; empty without one
 */
export function comparedIn(country: string): NumberOptions {
	const region = regionIn(country);
	return { format: 'international', defaultCountry: region === '' ? undefined : region };
}

/** A phone number that can be sent to. */
export interface ReadNumber {
	/** What is sent: at most 15 digits, and what the format asks for. */
	number: string;
	/** The same text for the same person, however the number is written: persons are compared by it. */
	key: string;
	/** The number in E.164, for `classify` and `timeZonesOf`; undefined where only a guess would give it. */
	e164?: string;
	problem?: undefined;
}

/**
 * Reads a phone number from what a spreadsheet, a database or a form holds.
 *
 * @param options `defaultCountry` is one of `regions()`, or empty
 */
export function readNumber(value: unknown, options: NumberOptions): ReadNumber | NoNumber {
	const reading =
		typeof value === 'string' && isWrittenInFull(value)
			? { number: value, key: personKey(value), e164: value }
			: readOther(value, options);
	const { allowedTypes } = options;
	if (reading.problem !== undefined || allowedTypes === undefined || allowedTypes.size === 0) {
		return reading;
	}
	const { number, e164 } = reading;
	const type = e164 === undefined ? 'unknown' : classify(e164).type;
	return allowedTypes.has(type) ? reading : notAllowed(number, type, e164 !== undefined);
}

/** 447701000000: what was 4.47701E+11, saved as a number. */
const ROUNDED = /^\s*[1-9]\d{4,}0{6}(?:[.,]0+)?\s*$/;

function readOther(value: unknown, options: NumberOptions): ReadNumber | NoNumber {
	const text = String(value as string);
	if (options.isEntered === true && ROUNDED.test(text)) return rounded(text.trim());
	const cell = readCell(value);
	if (cell.problem !== undefined) return cell;
	const country =
		options.defaultCountry === undefined ? undefined : numberingPlanOf(options.defaultCountry);
	const completion = complete(cell, country);
	if (completion.problem !== undefined) return completion;
	const { number: e164 } = completion;
	if (e164 === undefined && options.defaultCountry === '') return invalid(cell.text);
	const entered = options.format === 'asEntered' ? String(value).trim() : undefined;
	if (e164 !== undefined) return { number: entered ?? e164, key: personKey(e164), e164 };
	return { number: entered ?? cell.text, key: keyOfDigits(cell.digits) };
}

/** What digits without a + are compared by: those of a number with its country code, or of a national one. */
export const keyOfDigits = (digits: string) =>
	digits.startsWith('0') ? digits : personKey(`+${digits}`);

/** How numbers of requests and of the credential are compared; undefined where it is not known. */
export function internationalForm(number: unknown): string | undefined {
	const reading = readNumber(number, { format: 'international' });
	return reading.problem === undefined ? reading.e164 : undefined;
}
