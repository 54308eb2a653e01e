import { type Cell, type NumberProblem, about, twoNumbers } from './cell';
import { classify, FIT, fitOf, looseFitOf } from './classify';
import { callingCodeOf, type CallingCode, type Plan } from './plans';

/** E.164 allows no more digits than this, the country code included. */
export const MAX_DIGITS = 15;
/** Shorter numbers do not exist with country code, and without one they are local. */
const MIN_DIGITS = 7;

/** One way to read a number. */
interface Candidate {
	/** E.164. */
	number: string;
	fit: number;
	/** How it was written. `bare`: without anything that says where it begins. */
	written: 'internationally' | 'with exit code' | 'nationally' | 'bare';
}

/**
 * The number in E.164, where it can be determined without guessing; undefined where it cannot.
 *
 * @param country the plan of Default Country
 */
export function complete(
	cell: Cell,
	country: Plan | undefined,
): { number: string | undefined; problem?: undefined } | NumberProblem {
	const result = notDoubled(
		cell,
		cell.isInternational
			? international(cell)
			: (afterCountryCode(cell) ??
					(country === undefined ? withoutCountry(cell) : nationalOrInternational(cell, country))),
	);
	const isUnclear = result.problem !== undefined || result.number === undefined;
	return isUnclear && cell.mayBeTwo ? twoNumbers(cell.text) : result;
}

type Completion = ReturnType<typeof complete>;

/** A number whose country code may have been written twice is not sent: +49 49 151 23456789. */
function notDoubled(cell: Cell, completion: Completion): Completion {
	if (completion.problem !== undefined || completion.number === undefined) return completion;
	const { number } = completion;
	const code = callingCodeOf(number.slice(1));
	if (code === undefined || !number.startsWith(code.digits, 1 + code.digits.length)) {
		return completion;
	}
	const once = `+${number.slice(1 + code.digits.length)}`;
	const [type, typeOnce] = [classify(number).type, classify(once).type];
	const mayBeDoubled =
		type === 'unknown' ? typeOnce !== 'unknown' : type === 'fixedLine' && typeOnce === 'mobile';
	return mayBeDoubled ? ambiguous(cell, [number, once]) : completion;
}

/** Digits with a zero in brackets after them are a country code, also without +: 44 (0)7400 123456. */
function afterCountryCode(cell: Cell): Completion | undefined {
	const before = /^\D*(?:00)?([1-9]\d{0,2})\D*[([] *0 *[)\]]/.exec(cell.text)?.[1];
	if (cell.withoutBracketedZero === undefined || before === undefined) return undefined;
	if (callingCodeOf(before)?.digits !== before) return undefined;
	const read = (digits: string) => inFull(digits.replace(/^00/, ''));
	const candidate = withOrWithoutZero(cell, cell.digits, read);
	const isInUse = candidate !== undefined && classify(candidate.number).type !== 'unknown';
	return isInUse ? candidate : undefined;
}

/** A number written with + or 00. */
function international(cell: Cell): Completion {
	// "+0044" is "+44" to everyone who reads it.
	const withoutZeros = (digits: string) => digits.replace(/^00(?=[1-9])/, '');
	const digits = withoutZeros(cell.digits);
	const code = callingCodeOf(digits);
	if (code === undefined) {
		return {
			reason: 'countryCode',
			problem: about(cell.text, 'has an unknown country code'),
			advice: 'Write + and the country code, followed by the number without its leading zero.',
		};
	}
	const best = withOrWithoutZero(cell, digits, (all) => inFull(withoutZeros(all)));
	return best ?? impossible(cell, code, digits.slice(code.digits.length));
}

/** Reads the digits; a zero in brackets is left out if they are not a number with it. */
function withOrWithoutZero(
	{ withoutBracketedZero }: Cell,
	digits: string,
	read: (digits: string) => Candidate | undefined,
): Candidate | undefined {
	const first = read(digits);
	if (withoutBracketedZero === undefined) return first;
	const second = read(withoutBracketedZero);
	if (first !== undefined && isLikely(first)) {
		return second !== undefined && neverHadZero(second) ? second : first;
	}
	return first === undefined || (second !== undefined && isLikely(second)) ? second : first;
}

/**
 * Italian fixed lines keep their zero; a mobile or toll-free number never had one. The few mobile
 * numbers of nine digits look like fixed lines without it, and those are far more common.
 */
function neverHadZero({ number }: Candidate): boolean {
	const { type } = classify(number);
	const code = callingCodeOf(number.slice(1));
	if (type !== 'mobile') return type !== 'unknown' && type !== 'fixedLine';
	return code?.main.trunkPrefix !== '' || number.length > 1 + code.digits.length + 9;
}

/**
 * Reads digits that begin with a calling code. A trunk prefix after it is removed, unless the
 * number is right with it (Italy's zero, for example).
 */
function inFull(
	digits: string,
	written: Candidate['written'] = 'internationally',
): Candidate | undefined {
	const code = callingCodeOf(digits);
	if (code === undefined) return undefined;
	const national = digits.slice(code.digits.length);
	const asWritten = candidateOf(code, national, written);
	if (asWritten !== undefined && isLikely(asWritten)) return asWritten;
	const withoutPrefix = code.main.withoutPrefix(national);
	const stripped =
		withoutPrefix === undefined ? undefined : candidateOf(code, withoutPrefix, written);
	return stripped !== undefined && isLikely(stripped) ? stripped : asWritten;
}

/** The number, if it is possible. */
function candidateOf(
	code: CallingCode,
	digits: string,
	written: Candidate['written'],
): Candidate | undefined {
	const national = withoutWrongZero(code, digits);
	const number = `+${code.digits}${national}`;
	if (number.length > MAX_DIGITS + 1) return undefined;
	const fit = looseFitOf(code, national);
	// What begins like something to remove, and is no number without it, has a digit too few or too many.
	const hasRest = national.startsWith('0') || beginsWithTrunk(national, code.main);
	const isPossible = fit > FIT.length || (fit === FIT.length && !hasRest);
	return isPossible ? { number, fit, written } : undefined;
}

/** Without the zero that people put before an Italian mobile number, where no trunk prefix is dialed. */
function withoutWrongZero({ main }: CallingCode, national: string): string {
	if (main.trunkPrefix !== '' || !national.startsWith('0') || !main.fits(national)) return national;
	const isWrong =
		main.typeOf(national) === 'unknown' && main.typeOf(national.slice(1)) === 'mobile';
	return isWrong ? national.slice(1) : national;
}

const beginsWithTrunk = (national: string, { trunkPrefix }: Plan) =>
	trunkPrefix !== '' && national.startsWith(trunkPrefix);

/**
 * A number after one of the two exit codes that most people know. "011" (North America) also begins
 * area codes (São Paulo, Sapporo, Belgrade, ...), so more digits than those have must follow.
 */
function afterKnownExitCode(digits: string): Candidate | undefined {
	if (!digits.startsWith('0')) return undefined;
	if (/^00[1-9]/.test(digits)) return inFull(digits.slice(2), 'with exit code');
	const candidate = /^011[1-9]\d{9}/.test(digits) ? inFull(digits.slice(3)) : undefined;
	return candidate !== undefined && isLikely(candidate) ? candidate : undefined;
}

function withoutCountry(cell: Cell): Completion {
	const { digits, text } = cell;
	// The exit code that the ITU recommends, and most countries use.
	if (/^00[1-9]/.test(digits)) return international(cell);
	const candidate = withOrWithoutZero(cell, digits, afterKnownExitCode);
	if (candidate !== undefined) return candidate;
	if (digits.length > MAX_DIGITS) return tooManyDigits(cell);
	if (digits.length < MIN_DIGITS) {
		return {
			reason: 'digits',
			problem: about(text, `has only ${digits.length} digit${digits.length === 1 ? '' : 's'}`),
			advice: 'Set Default Country if the numbers of your country are this short.',
		};
	}
	return { number: undefined };
}

function nationalOrInternational(cell: Cell, country: Plan): Completion {
	const code = callingCodeOf(country.callingCode);
	if (code === undefined) return { number: undefined };
	const { digits } = cell;
	const candidates = candidatesOf(digits, country, code);
	if (cell.withoutBracketedZero !== undefined && !candidates.some(isLikely)) {
		candidates.push(...candidatesOf(cell.withoutBracketedZero, country, code));
	}
	const fitting = bestOf(candidates, code);
	const [chosen] = fitting;
	if (fitting.length > 1) return ambiguous(cell, numbersOf(fitting));
	if (chosen !== undefined && isLikely(chosen)) return certain(cell, chosen, country, code);

	const withZero = withLostZero(digits, country);
	if (withZero !== undefined) {
		const number = `+${code.digits}${withZero}`;
		return isForeign(digits, code) ? ambiguous(cell, [number, `+${digits}`]) : { number };
	}
	if (chosen === undefined) return impossible(cell, code, country.withoutPrefix(digits) ?? digits);
	const mayLackZero = chosen.written === 'bare' && country.trunkPrefix.startsWith('0');
	if (!mayLackZero) return certain(cell, chosen, country, code);
	return {
		reason: 'leadingZero',
		problem: about(cell.text, 'has lost its leading zero or its country code'),
		advice: 'Write + and the country code before the number.',
	};
}

/** A reading as a number of the country, unless the digits are as likely to be one without its +. */
function certain(cell: Cell, chosen: Candidate, country: Plan, code: CallingCode): Completion {
	const { digits } = cell;
	const isExplicit = digits.startsWith('0') || chosen.written === 'with exit code';
	if (isExplicit || chosen.number === `+${digits}`) return chosen;
	const national = nationalOf(chosen, code);
	const type = classify(chosen.number).type;
	if (!isOfOneLength(national, code) && isForeign(digits, code, type === 'mobile')) {
		return ambiguous(cell, [chosen.number, `+${digits}`]);
	}
	const isShort = type === 'unknown' && country.isShort(national);
	return isShort ? impossible(cell, code, national) : chosen;
}

/** Whether the plan has a type for the number, and none with a digit more or less. */
function isOfOneLength(national: string, { plans }: CallingCode): boolean {
	const isInUse = (digits: string) => plans.some((plan) => plan.typeOf(digits) !== 'unknown');
	return isInUse(national) && !isInUse(national.slice(0, -1)) && !isInUse(`${national}5`);
}

/** Whether the digits, with a + before them, are the phone of somebody in another country. */
function isForeign(digits: string, own: CallingCode, onlyMobile = false): boolean {
	const code = callingCodeOf(digits);
	if (code === undefined || code === own || digits.length > MAX_DIGITS) return false;
	const { type } = classify(`+${digits}`);
	if (type === 'fixedLine') return !onlyMobile;
	return type === 'mobile' || type === 'fixedLineOrMobile';
}

const numbersOf = (candidates: Candidate[]) => candidates.map(({ number }) => number);

const nationalOf = ({ number }: Candidate, code: CallingCode) =>
	number.slice(1 + code.digits.length);

const isLikely = ({ fit }: Candidate) => fit >= FIT.pattern;

/**
 * Where no trunk prefix is dialed, a leading zero belongs to the number, and spreadsheets take it.
 * It is put back where only a zero makes the digits a number of its type (Italian fixed lines).
 */
function withLostZero(digits: string, country: Plan): string | undefined {
	if (country.trunkPrefix !== '' || digits.startsWith('0')) return undefined;
	const type = country.typeOf(`0${digits}`);
	if (type === 'unknown') return undefined;
	const isOnlyZero = [...'123456789'].every((digit) => country.typeOf(digit + digits) !== type);
	return isOnlyZero ? `0${digits}` : undefined;
}

/** Every way to read the digits that gives a possible number. */
function candidatesOf(digits: string, country: Plan, code: CallingCode): Candidate[] {
	const afterExitCode = country.withoutExitCode(digits);
	const candidates = [
		afterExitCode === undefined ? undefined : inFull(afterExitCode, 'with exit code'),
		afterKnownExitCode(digits),
		nationally(digits, country, code),
		digits.startsWith(code.digits) ? inFull(digits, 'bare') : undefined,
	];
	return candidates.filter((candidate) => candidate !== undefined);
}

/** Reads digits as a number of the country, with or without trunk prefix. */
function nationally(digits: string, country: Plan, code: CallingCode): Candidate | undefined {
	const { trunkPrefix } = country;
	// What is removed may include a carrier code; the first digits of a number can look like one.
	const forms = [
		country.withoutPrefix(digits),
		beginsWithTrunk(digits, country) ? digits.slice(trunkPrefix.length) : undefined,
	];
	let completed: Candidate | undefined;
	for (const form of forms) {
		const candidate = form === undefined ? undefined : candidateOf(code, form, 'nationally');
		if (candidate !== undefined && isLikely(candidate)) return candidate;
		completed ??= candidate;
	}
	const isComplete = trunkPrefix === '' || digits.startsWith('0');
	const asWritten = candidateOf(code, digits, isComplete ? 'nationally' : 'bare');
	if (asWritten !== undefined && isLikely(asWritten)) return asWritten;
	const best = completed ?? asWritten;
	// What is completed once must not be read in another way when it is read again.
	return best === undefined ? undefined : (inFull(best.number.slice(1), best.written) ?? best);
}

/** Those that look most like a number that is in use: one, or none, or several different ones. */
function bestOf(candidates: Candidate[], code: CallingCode): Candidate[] {
	if (candidates.length < 2) return candidates;
	for (const candidate of candidates) {
		const own = callingCodeOf(candidate.number.slice(1)) ?? code;
		candidate.fit = Math.max(fitOf(own, nationalOf(candidate, own)), FIT.length);
	}
	const best = Math.max(...candidates.map(({ fit }) => fit));
	const fitting = candidates.filter(
		({ fit, number }, index) =>
			fit === best && candidates.findIndex((other) => other.number === number) === index,
	);
	// What is written as a national number is one, whatever its digits would be with a + before them.
	const explicit = fitting.filter(({ written }) => written !== 'bare');
	if (explicit.length === 0) {
		// A mobile number that lacks its + is far more likely than a fixed line that lacks its zero.
		const mobile = fitting.filter(({ number }) => classify(number).type === 'mobile');
		return mobile.length === 1 ? mobile : fitting;
	}
	return best === FIT.type ? explicit : explicit.slice(0, 1);
}

function ambiguous(cell: Cell, numbers: string[]): NumberProblem {
	return {
		reason: 'ambiguous',
		problem: about(cell.text, 'is ambiguous'),
		advice: `It can be ${numbers.join(' or ')}. Write + and the country code before the number.`,
	};
}

function tooManyDigits({ text, digits }: Cell): NumberProblem {
	return {
		reason: 'digits',
		problem: about(text, `has ${digits.length} digits, more than any phone number`),
		advice: 'Check that the field holds one number and nothing else.',
	};
}

function impossible(cell: Cell, code: CallingCode, national: string): NumberProblem {
	if (code.digits.length + national.length > MAX_DIGITS) return tooManyDigits(cell);
	const lengths = Array.from({ length: 18 }, (_, length) => length).filter((length) =>
		code.main.hasLength(length),
	);
	const what =
		national.length < (lengths[0] ?? 0)
			? 'is too short'
			: national.length > (lengths.at(-1) ?? 0)
				? 'is too long'
				: 'is not possible';
	return {
		reason: 'length',
		problem: about(cell.text, `${what} for country code +${code.digits}`),
		advice: 'Check the digits of the number.',
	};
}
