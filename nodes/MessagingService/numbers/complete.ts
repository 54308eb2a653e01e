import type { Cell } from './cell';
import type { NumberType } from './numberTypes';
import { classify, callingCodeOf, type CallingCode, type NumberingPlan } from './plans';
import { ambiguous, invalid, replaced, type NoNumber } from './problems';
import { personKey } from './samePerson';

/** A number in E.164, or why it is none. `number` is undefined where only a guess would give it. */
type Completion = { number: string | undefined; problem?: undefined } | NoNumber;

/** E.164 allows no more digits than this, the country code included. */
const MAX_DIGITS = 15;
/** Numbers that have neither a country code nor a Default Country have so many digits at least. */
const MIN_DIGITS = 7;
/** Numbers that lack their area code have so many digits at most; of complete ones, only mobile numbers. */
const MAX_LOCAL_DIGITS = 7;

/**
 * The number in E.164, as libphonenumber reads it, or a problem: also where the digits can be the
 * number of somebody else as well.
 *
 * @param country the plan of Default Country
 */
export function complete(cell: Cell, country: NumberingPlan | undefined): Completion {
	const { text, digits, isInternational } = cell;
	if (isInternational) return international(text, digits);
	if (country !== undefined) return withCountry(cell, country);
	// The exit code that the ITU recommends, and most countries use.
	if (/^00[1-9]/.test(digits)) return international(text, digits);
	// A number without any country is sent as it is.
	const isPossible = digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS;
	return isPossible ? { number: undefined } : invalid(text);
}

/**
 * Whether a text is an E.164 number with nothing to remove or to doubt, as most numbers of long
 * lists are: they are read only once.
 */
export function isWrittenInFull(text: string): boolean {
	const code = text.startsWith('+') ? callingCodeOf(text, 1) : undefined;
	if (code === undefined || text.length > MAX_DIGITS + 1) return false;
	const { digits, main } = code;
	// A blank counts as a digit where the code is looked up.
	if (!text.startsWith(digits, 1)) return false;
	const national = text.slice(1 + digits.length);
	const isCodeTwice = national.startsWith(digits);
	return main.fits(national) && !isCodeTwice && main.withoutPrefix(national) === undefined;
}

/** A number that begins with its country code. @param others other readings of the cell */
function international(
	text: string,
	digits: string,
	others: readonly (string | undefined)[] = [],
): Completion {
	const number = readInFull(digits);
	if (number !== undefined) return unlessAmbiguous(text, number, others);
	return notInPlan(text, withoutZeros(digits));
}

/** Why digits with their country code are no number: its country may have changed such numbers. */
function notInPlan(text: string, digits: string): NoNumber {
	const today = personKey(`+${digits}`);
	if (today !== `+${digits}` && isUsable(today)) return replaced(text, today);
	return invalid(text, callingCodeOf(digits)?.digits);
}

/** "0044" and "+0044" are "+44" to everyone who reads them. */
const withoutZeros = (digits: string) => (/^00[1-9]/.test(digits) ? digits.slice(2) : digits);

/** The number that begins with a calling code, if the plan of the code allows it. */
function readInFull(digits: string): string | undefined {
	const significant = withoutZeros(digits);
	const code = callingCodeOf(significant);
	return code && e164Of(code, code.main.significant(significant.slice(code.digits.length)));
}

function e164Of({ digits, plans }: CallingCode, national: string): string | undefined {
	const isPossible =
		digits.length + national.length <= MAX_DIGITS && plans.some((plan) => plan.fits(national));
	return isPossible ? `+${digits}${national}` : undefined;
}

/** The number, unless another reading of the digits is somebody's number. */
function unlessAmbiguous(
	text: string,
	number: string,
	others: readonly (string | undefined)[],
): Completion {
	for (const other of [...others, withCodeOnce(number)]) {
		if (other !== undefined && other !== number && isInUse(other)) {
			return ambiguous(text, [number, other]);
		}
	}
	return { number };
}

/** Landlines have fewer digits, but some plans allow so many. */
const MIN_DIGITS_WITH_CODE = 11;

/** The mobile number in one that has its country code twice: +49 49 175 ..., or 049 175 ... with a 0 too few. */
function withCodeOnce(number: string): string | undefined {
	const { digits: code = '' } = callingCodeOf(number.slice(1)) ?? {};
	const national = number.slice(1 + code.length);
	if (!national.startsWith(code) || national.length < MIN_DIGITS_WITH_CODE) return undefined;
	const other = readInFull(national);
	return isOfType('mobile', other) ? other : undefined;
}

/** The one of several readings that is somebody's number. */
function theOneInUse(
	text: string,
	callingCode: string,
	readings: readonly (string | undefined)[],
): Completion {
	const numbers = new Set(readings.filter((number) => number !== undefined && isUsable(number)));
	const [number] = numbers;
	if (number === undefined) return invalid(text, callingCode);
	return unlessAmbiguous(text, number, [...numbers]);
}

const isInUse = (number: string) => classify(number).type !== 'unknown';

/** Numbers that Ofcom keeps free for examples, such as ours: in no range in use, and nobody's. */
const EXAMPLES = /^\+447700900\d{3}$/;

/** Whether a number in E.164 is in a range in use, or an example. */
export const isUsable = (number: string) => isInUse(number) || EXAMPLES.test(number);

/** A number as it is written or dialed in a country. */
function withCountry(cell: Cell, country: NumberingPlan): Completion {
	const { digits, text } = cell;
	const { callingCode } = country;
	const code = callingCodeOf(callingCode);
	if (code === undefined) return { number: undefined };
	const national = (all: string) => {
		const number = e164Of(code, country.significant(all));
		// Of a number that begins with a trunk prefix, nobody can tell whether it is one.
		return number === undefined || readInFull(number.slice(1)) === number ? number : undefined;
	};
	const withoutCode = digits.startsWith(callingCode)
		? national(digits.slice(callingCode.length))
		: undefined;
	const home = national(digits) ?? withoutCode;
	const abroad = country.withoutExitCode(digits);
	if (!country.exitsWith00 && digits.startsWith('00')) {
		// Written, "00" stands for the +. Dialed, it is part of another code, or a carrier follows it.
		const dialed = abroad === undefined ? undefined : readInFull(abroad);
		return theOneInUse(text, callingCode, [readInFull(digits), dialed, home]);
	}
	if (abroad !== undefined) return international(text, abroad, [home]);
	if (home === undefined || !isUsable(home)) {
		const restored = withLostZero(digits, code, country);
		if (restored !== undefined) return unlessAmbiguous(text, restored, [readInFull(digits)]);
		return notInPlan(text, callingCode + country.significant(digits));
	}
	return likeliest(cell, country, home, withoutCode);
}

/** In a few countries, the first 0 of a mobile number belongs to it, or (06 in Hungary) is not the whole prefix. */
function withLostZero(
	digits: string,
	code: CallingCode,
	{ trunkPrefix }: NumberingPlan,
): string | undefined {
	const dialed = `0${digits}`;
	const number = e164Of(
		code,
		dialed.startsWith(trunkPrefix) ? dialed.slice(trunkPrefix.length) : dialed,
	);
	const isMobile = isOfType('mobile', number) || isOfType('fixedLineOrMobile', number);
	return isMobile ? number : undefined;
}

/**
 * The number of the country that digits without exit code stand for, unless they are somebody else's too.
 * @param home read as they are dialed in the country
 * @param withoutCode read as its country code without +
 */
function likeliest(
	{ digits, text }: Cell,
	country: NumberingPlan,
	home: string,
	withoutCode: string | undefined,
): Completion {
	const { callingCode, trunkPrefix } = country;
	const isVariable = !digits.startsWith('0') && hasSeveralLengths(home);
	const isBare = trunkPrefix !== '' && home === `+${callingCode}${digits}`;
	const isLocal = isVariable && isBare && digits.length <= MAX_LOCAL_DIGITS;
	if (isLocal && !isOfType('mobile', home)) return invalid(text, callingCode);
	// Some plans allow landlines that are longer than any there are.
	const isTooLong =
		isBare && isOfType('fixedLine', home) && country.hasShorter('mobile', digits.length);
	if (isTooLong && isOfType('mobile', withoutCode)) return { number: withoutCode };
	const isWithCode = digits.startsWith(callingCode);
	const isNeither = withoutCode === undefined || !isUsable(withoutCode);
	if (isTooLong && isWithCode && isNeither) return invalid(text, callingCode);
	const abroad = isVariable || digits.startsWith('00') ? readInFull(digits) : undefined;
	// Who writes a mobile number of Default Country does not mean a landline of another country.
	const isUnlikely = isOfType('mobile', home) && isOfType('fixedLine', abroad);
	return unlessAmbiguous(text, home, [withoutCode, isUnlikely ? undefined : abroad]);
}

const isOfType = (type: NumberType, number: string | undefined) =>
	number !== undefined && classify(number).type === type;

/**
 * Whether numbers of a range are longer or shorter than others. Where all have one length, digits
 * of that length are what people write in the country, not a number of another country without +.
 */
const hasSeveralLengths = (number: string) => isInUse(number.slice(0, -1)) || isInUse(`${number}5`);
