import type { Cell } from './cell';
import { classify } from './classify';
import { callingCodeOf, type CallingCode, type Plan } from './plans';
import {
	ambiguous,
	hasTwoNumbers,
	impossible,
	isDate,
	MAX_DIGITS,
	notInUse,
	type NumberProblem,
	tooFewDigits,
	tooManyDigits,
	unknownCode,
	withoutPlus,
	wrongLength,
} from './problems';

/** A number in E.164, or why it is none. `number` is undefined where only a guess would give it. */
export type Completion = { number: string | undefined; problem?: undefined } | NumberProblem;

/** Shorter numbers do not exist with country code, and without one they are local. */
const MIN_DIGITS = 7;
/** Numbers that lack their area code have so many digits at most; of complete ones, only mobile numbers. */
const MAX_LOCAL_DIGITS = 7;

/**
 * The number in E.164, as libphonenumber reads it, or a problem: also where the digits can be the
 * number of somebody else as well.
 *
 * @param country the plan of Default Country
 */
export function complete(cell: Cell, country: Plan | undefined): Completion {
	if (cell.isInternational) return international(cell);
	if (country !== undefined) return withCountry(cell, country);
	// The exit code that the ITU recommends, and most countries use.
	return /^00[1-9]/.test(cell.digits) ? international(cell) : withoutCountry(cell);
}

/**
 * Whether a text is an E.164 number with nothing to remove or to doubt, as most numbers of long
 * lists are: they are read only once.
 */
export function isWrittenInFull(text: string): boolean {
	const code = text.startsWith('+') ? callingCodeOf(text, 1) : undefined;
	if (code === undefined || text.length > MAX_DIGITS + 1) return false;
	const { digits, main } = code;
	const national = text.slice(1 + digits.length);
	if (national.startsWith('0') || national.startsWith(digits)) return false;
	// The code is looked up by three places, of which a blank may be one.
	if (!text.startsWith(digits, 1)) return false;
	return main.fits(national) && main.withoutPrefix(national) === undefined;
}

/** A number that begins with its country code. @param others other readings of the cell */
function international(
	{ text, digits, withoutZero }: Omit<Cell, 'isInternational'>,
	others: readonly (string | undefined)[] = [],
): Completion {
	const significant = withoutZeros(digits);
	const code = callingCodeOf(significant);
	if (code === undefined) return unknownCode(text);
	const national = significant.slice(code.digits.length);
	const dropped = readInFull(withoutZero);
	const number = readInFull(digits) ?? (code.main.hasLength(national) ? undefined : dropped);
	return number === undefined
		? impossible(text, code, national)
		: unlessDoubtful(text, number, [dropped, ...others]);
}

/** "0044" and "+0044" are "+44" to everyone who reads them. */
const withoutZeros = (digits: string) => (/^00[1-9]/.test(digits) ? digits.slice(2) : digits);

/** The number that begins with a calling code, if the plan of the code allows it. */
function readInFull(digits: string | undefined): string | undefined {
	if (digits === undefined) return undefined;
	const international = withoutZeros(digits);
	const code = callingCodeOf(international);
	return code && e164Of(code, code.main.significant(international.slice(code.digits.length)));
}

function e164Of({ digits, plans }: CallingCode, national: string): string | undefined {
	const isPossible =
		digits.length + national.length <= MAX_DIGITS && plans.some((plan) => plan.fits(national));
	return isPossible ? `+${digits}${national}` : undefined;
}

/** The number, unless another reading of the digits is somebody's number. */
function unlessDoubtful(
	text: string,
	number: string,
	others: readonly (string | undefined)[],
): Completion {
	for (const other of [...others, withoutMistake(number)]) {
		if (other !== undefined && other !== number && isInUse(other)) {
			return ambiguous(text, [number, other]);
		}
	}
	return { number };
}

const isInUse = (number: string) => classify(number).type !== 'unknown';

/** Without a country code that may be there twice, or a zero that may not belong to the number. */
function withoutMistake(number: string): string | undefined {
	const code = callingCodeOf(number, 1)?.digits ?? '';
	const national = number.slice(1 + code.length);
	const isTwice = national.startsWith(code);
	if (!isTwice && !national.startsWith('0')) return undefined;
	const { type } = classify(number);
	const other = isTwice ? `+${national}` : `+${code}${national.slice(1)}`;
	const isMobileInstead = type === 'fixedLine' && isTwice && classify(other).type === 'mobile';
	return type === 'unknown' || isMobileInstead ? other : undefined;
}

/** A number without any country is sent as it is. */
function withoutCountry({ digits, text, withoutZero }: Cell): Completion {
	const { length } = digits;
	if (length > MAX_DIGITS) return tooManyDigits(text, length);
	if (length < MIN_DIGITS) return tooFewDigits(text, length);
	if (withoutZero !== undefined) return withoutPlus(text);
	return COMPACT_DATE.test(text) ? isDate(text) : { number: undefined };
}

/** 20261231 */
const COMPACT_DATE = /^(?:19[3-9]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** A number as it is written or dialed in a country. */
function withCountry(cell: Cell, country: Plan): Completion {
	const { digits, text, withoutZero } = cell;
	const code = callingCodeOf(country.callingCode);
	if (code === undefined) return { number: undefined };
	const national = (all: string) => e164Of(code, country.significant(all));
	const withoutCode = digits.startsWith(code.digits)
		? national(digits.slice(code.digits.length))
		: undefined;
	const home = national(digits) ?? withoutCode;
	const afterZeros = digits.startsWith('00') ? readInFull(digits) : undefined;
	const afterExitCode = country.withoutExitCode(digits);
	if (afterExitCode !== undefined) {
		const dropped = withoutZero && country.withoutExitCode(withoutZero);
		const abroad = { text, digits: afterExitCode, withoutZero: dropped };
		return international(abroad, [home, afterZeros]);
	}
	if (home !== undefined) {
		const others = [withoutCode, afterZeros, withoutZero && national(withoutZero)];
		return atHome(cell, country, home, others);
	}
	if (afterZeros !== undefined) {
		const isHome = [digits, country.significant(digits)].some((all) => country.hasLength(all));
		return isHome ? ambiguous(text, [afterZeros]) : international(cell);
	}
	return digits.length > MAX_DIGITS
		? tooManyDigits(text, digits.length)
		: impossible(text, code, country.withoutPrefix(digits) ?? digits);
}

/** A number of the country, if it is in use and complete, and the digits are no other number. */
function atHome(
	{ digits, text }: Cell,
	{ callingCode, trunkPrefix }: Plan,
	home: string,
	others: readonly (string | undefined)[],
): Completion {
	const { type } = classify(home);
	const abroad = digits.startsWith('0') ? undefined : readInFull(digits);
	if (type === 'unknown' && !EXAMPLES.test(home)) {
		const likely = [...others, abroad].find((other) => other !== undefined && isInUse(other));
		return likely === undefined ? notInUse(text, callingCode) : ambiguous(text, [likely]);
	}
	const isVariable = !digits.startsWith('0') && hasSeveralLengths(home);
	const completion = unlessDoubtful(text, home, isVariable ? [...others, abroad] : others);
	if (completion.problem !== undefined) return completion;
	const isBare = trunkPrefix !== '' && home === `+${callingCode}${digits}`;
	if (isVariable && isBare && type !== 'mobile' && digits.length <= MAX_LOCAL_DIGITS) {
		return wrongLength(text, callingCode, 'is too short');
	}
	// Numbers this long are written without blanks, if at all: 030 901820 90182.
	const isGrouped = text.length > digits.length;
	return home.length > MAX_DIGITS && isGrouped ? hasTwoNumbers(text) : completion;
}

/** Numbers that Ofcom keeps free for examples, such as ours: in no range in use, and nobody's. */
const EXAMPLES = /^\+447700900\d{3}$/;

/**
 * Whether numbers of a range are longer or shorter than others. Where all have one length, digits
 * of that length are what people write in the country, not a number of another country without +.
 */
const hasSeveralLengths = (number: string) => isInUse(number.slice(0, -1)) || isInUse(`${number}5`);
