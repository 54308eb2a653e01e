import { type NumberProblem, about, compactDate, readCell } from './cell';
import { classify } from './classify';
import { complete } from './complete';
import { changedNumber } from './dialing';
import { type NumberType, TYPE_LABELS, TYPE_NAMES } from './numberTypes';
import { callingCodeAt, planOf } from './plans';

/** How phone numbers are read and checked. */
export interface NumberOptions {
	/** ISO 3166-1 alpha-2: completes numbers without country code. */
	defaultCountry?: string;
	/** What is sent: E.164 where the number can be determined, or what the cell holds. */
	format: 'international' | 'asEntered';
	/** Numbers of other types are invalid. None: all types are allowed. */
	allowedTypes?: ReadonlySet<NumberType>;
}

/** A phone number that can be sent to. */
export interface ReadNumber {
	/** What is sent: at most 15 digits, and what the format asks for. */
	number: string;
	/** The same text for the same number, however it is written: duplicates are compared by it. */
	key: string;
	/** The number in E.164, for `classify` and `timeZonesOf`; undefined where only a guess would give it. */
	e164?: string;
	problem?: undefined;
}

export type NumberReading = ReadNumber | NumberProblem;

/**
 * Reads a phone number from what a spreadsheet, a database or a form holds.
 *
 * @param options `defaultCountry` is one of `regions()`
 */
export function readNumber(value: unknown, options: NumberOptions): NumberReading {
	const reading =
		typeof value === 'string' && isWrittenInFull(value)
			? { number: value, key: value, e164: value }
			: readOther(value, options);
	if (options.allowedTypes === undefined || options.allowedTypes.size === 0) return reading;
	return reading.problem === undefined
		? (typeProblem(reading, options.allowedTypes) ?? reading)
		: reading;
}

const ZERO = 48;

/**
 * Whether a text is an E.164 number of a possible length, with nothing to remove. This is how most
 * numbers of long lists are written, so they are read only once.
 */
function isWrittenInFull(text: string): boolean {
	const digits = text.length - 1;
	if (digits < 7 || digits > 15 || text.charCodeAt(0) !== 43) return false;
	for (let index = 1; index <= digits; index++) {
		const digit = text.charCodeAt(index) - ZERO;
		if (digit < 0 || digit > 9) return false;
	}
	const digitAt = (index: number) => text.charCodeAt(index) - ZERO;
	const code = callingCodeAt(digitAt(1) * 100 + digitAt(2) * 10 + digitAt(3));
	if (code === undefined) return false;
	const { length } = code.digits;
	if (text.startsWith(code.digits, 1 + length)) return false;
	const mayHavePrefix = ((code.carefully >> digitAt(1 + length)) & 1) === 1;
	if (mayHavePrefix || !code.main.hasLength(digits - length)) return false;
	const mayHaveChanged = ((code.changed >> digitAt(1 + length)) & 1) === 1;
	return !mayHaveChanged || changedNumber(code.digits, text.slice(1 + length)) === undefined;
}

function readOther(value: unknown, options: NumberOptions): NumberReading {
	const cell = readCell(value);
	if (cell.problem !== undefined) return cell;
	const country = options.defaultCountry === undefined ? undefined : planOf(options.defaultCountry);
	const completion = complete(cell, country);
	if (completion.problem !== undefined) return completion;
	const { number } = completion;
	const date = compactDate(cell.text);
	if (date !== undefined && (number === undefined || classify(number).type === 'unknown')) {
		return date;
	}
	const entered =
		options.format === 'asEntered' ? String(value).trim() : cell.text.replace(/\n/g, ' ');
	if (number === undefined) {
		const key = cell.digits.startsWith('0') ? cell.digits : `+${cell.digits}`;
		return { number: entered, key };
	}
	return {
		number: options.format === 'asEntered' ? entered : number,
		key: number,
		e164: number,
	};
}

function typeProblem(
	{ number, e164 }: ReadNumber,
	allowedTypes: ReadonlySet<NumberType>,
): NumberProblem | undefined {
	const type = e164 === undefined ? 'unknown' : classify(e164).type;
	if (allowedTypes.has(type)) return undefined;
	return {
		reason: 'type',
		problem: about(number, `is a ${TYPE_NAMES[type]}, not allowed`),
		advice:
			e164 === undefined
				? 'Set Default Country, or write + and the country code before the number.'
				: `Use another number, or add ${TYPE_LABELS[type]} to Allowed Types in Options.`,
	};
}
