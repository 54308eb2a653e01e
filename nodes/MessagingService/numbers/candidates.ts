import type { Cell } from './cell';
import { classify, FIT, fitOf, looseFitOf } from './classify';
import { afterSpecialExitCode, changedNumber, dialedAbroad } from './dialing';
import { callingCodeOf, type CallingCode, type Plan } from './plans';
import { MAX_DIGITS } from './problems';

/** One way to read a number. */
export interface Candidate {
	/** E.164. */
	number: string;
	code: CallingCode;
	/** The digits after the calling code. */
	national: string;
	fit: number;
	/** How it was written. `bare`: without anything that says where it begins. */
	written: 'internationally' | 'with exit code' | 'nationally' | 'bare';
	/** Whether it is what the digits were changed to, if a country code stands before them. */
	needsCode?: boolean;
}

export const isLikely = ({ fit }: Candidate) => fit >= FIT.pattern;

/** Reads the digits; a zero in brackets is left out if they are not a number with it. */
export function withOrWithoutZero(
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
function neverHadZero({ number, code, national }: Candidate): boolean {
	const { type } = classify(number);
	if (type !== 'mobile') return type !== 'unknown' && type !== 'fixedLine';
	return code.main.trunkPrefix !== '' || national.length > 9;
}

/**
 * Reads digits that begin with a calling code. A trunk prefix after it is removed, unless the
 * number is right with it (Italy's zero, for example).
 */
export function inFull(
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
	const changed = changedCandidate(code, digits, written);
	if (changed !== undefined) return changed;
	const national = withoutWrongZero(code, digits);
	const number = `+${code.digits}${national}`;
	if (number.length > MAX_DIGITS + 1) return undefined;
	const fit = looseFitOf(code, national);
	// What begins like something to remove, and is no number without it, has a digit too few or too many.
	const hasRest = national.startsWith('0') || beginsWithTrunk(national, code.main);
	const isPossible = fit > FIT.length || (fit === FIT.length && !hasRest);
	return isPossible ? { number, code, national, fit, written } : undefined;
}

/** An earlier number as it is today, if that is in use or has another calling code. */
function changedCandidate(
	code: CallingCode,
	national: string,
	written: Candidate['written'],
): Candidate | undefined {
	const changed = changedNumber(code.digits, national);
	const today = changed && callingCodeOf(changed.digits);
	if (changed === undefined || today === undefined) return undefined;
	const { digits, needsCode } = changed;
	const current = digits.slice(today.digits.length);
	const fit = fitOf(today, current);
	const isToday = today === code ? fit >= FIT.type : fit >= FIT.pattern;
	return isToday
		? { number: `+${digits}`, code: today, national: current, fit, written, needsCode }
		: undefined;
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
export function afterKnownExitCode(digits: string): Candidate | undefined {
	if (!digits.startsWith('0')) return undefined;
	if (/^00[1-9]/.test(digits)) return inFull(digits.slice(2), 'with exit code');
	const candidate = /^011[1-9]\d{9}/.test(digits) ? inFull(digits.slice(3)) : undefined;
	return candidate !== undefined && isLikely(candidate) ? candidate : undefined;
}

/** Every way to read the digits that gives a possible number, with the plan of Default Country. */
export function candidatesOf(digits: string, country: Plan, code: CallingCode): Candidate[] {
	const abroad = dialedAbroad(country.region, digits);
	const written = digits.startsWith('0') ? 'nationally' : 'bare';
	const dialed = abroad === undefined ? undefined : inFull(abroad, written);
	const own = nationally(digits, country, code);
	// Some mobile ranges are shared by several overseas departments: they count for the own one.
	const isOwn = dialed !== undefined && own !== undefined && classify(own.number).type === 'mobile';
	if (dialed !== undefined && !isOwn) return [dialed];
	const candidates: Candidate[] = [];
	const add = (candidate: Candidate | undefined) => {
		if (candidate !== undefined) candidates.push(candidate);
	};
	const addAfterExit = (rest: string | undefined) => {
		if (rest !== undefined) add(inFull(rest, 'with exit code'));
	};
	addAfterExit(country.withoutExitCode(digits));
	addAfterExit(afterSpecialExitCode(country.region, digits));
	add(afterKnownExitCode(digits));
	add(own);
	if (digits.startsWith(code.digits)) add(inFull(digits, 'bare'));
	return candidates;
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
export function bestOf(candidates: Candidate[]): Candidate[] {
	if (candidates.length < 2) return candidates;
	for (const candidate of candidates) {
		candidate.fit = Math.max(fitOf(candidate.code, candidate.national), FIT.length);
	}
	const best = Math.max(...candidates.map(({ fit }) => fit));
	const fitting = candidates.filter(
		({ fit, number }, index) =>
			fit === best && candidates.findIndex((other) => other.number === number) === index,
	);
	// What is written as a national number is one, even if a + before its digits gives another one.
	const explicit = fitting.filter(({ written }) => written !== 'bare');
	if (explicit.length === 0) {
		// A mobile number that lacks its + is far more likely than a fixed line that lacks its zero.
		const mobile = fitting.filter(({ number }) => classify(number).type === 'mobile');
		return mobile.length === 1 ? mobile : fitting;
	}
	return best === FIT.type ? explicit : explicit.slice(0, 1);
}
