import { bestOf, type Candidate, candidatesOf, isLikely } from './candidates';
import { about, type Cell, type NumberProblem } from './cell';
import { classify } from './classify';
import { inNeighbor } from './dialing';
import type { NumberType } from './numberTypes';
import { callingCodeOf, type CallingCode, type Plan } from './plans';
import { ambiguous, impossible, MAX_DIGITS, wrongLength } from './problems';

/** A number, or why it is none. `number` is undefined where only a guess would give it. */
export type Completion = { number: string | undefined; problem?: undefined } | NumberProblem;

/** Reads a number that need not have a country code, with the plan of Default Country. */
export function nationalOrInternational(cell: Cell, country: Plan): Completion {
	const code = callingCodeOf(country.callingCode);
	if (code === undefined) return { number: undefined };
	const { digits } = cell;
	const candidates = candidatesOf(digits, country, code);
	if (cell.withoutBracketedZero !== undefined && !candidates.some(isLikely)) {
		candidates.push(...candidatesOf(cell.withoutBracketedZero, country, code));
	}
	const fitting = bestOf(candidates);
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

/** Numbers without area code have so many digits, where one has to be dialed. */
const MAX_LOCAL_DIGITS = 7;

/** A reading as a number of the country, unless the digits are as likely to be another one. */
function certain(cell: Cell, chosen: Candidate, country: Plan, code: CallingCode): Completion {
	const { digits } = cell;
	const { number, national, code: own, written } = chosen;
	if (written !== 'nationally' && written !== 'bare') return chosen;
	if (chosen.needsCode === true && !digits.startsWith(code.digits)) {
		const numbers = isForeign(digits, code) ? [number, `+${digits}`] : [number];
		return ambiguous(cell, numbers);
	}
	const neighbor = neighborsNumber(digits, country, number);
	if (neighbor !== undefined) return ambiguous(cell, [number, neighbor]);
	const length = wrongLengthOf(number, national, own);
	if (length !== undefined) return wrongLength(cell, own, length);
	if (digits.startsWith('0') || number === `+${digits}`) return chosen;
	const { type } = classify(number);
	if (!isOfOneLength(national, own) && isForeign(digits, code, type === 'mobile')) {
		return ambiguous(cell, [number, `+${digits}`]);
	}
	if (type !== 'unknown') return chosen;
	if (country.isShort(national)) return impossible(cell, code, national);
	const isLocal = country.trunkPrefix !== '' && national.length <= MAX_LOCAL_DIGITS;
	return isLocal ? wrongLength(cell, code, 'is too short') : chosen;
}

/** The phone of a neighboring country that a number can be as well. */
function neighborsNumber(digits: string, country: Plan, number: string): string | undefined {
	const neighbor = inNeighbor(country.region, digits);
	if (neighbor === undefined || !isPhone(classify(`+${neighbor.digits}`).type)) return undefined;
	const isMeant = neighbor.evenIfInUse || classify(number).type === 'unknown';
	return isMeant ? `+${neighbor.digits}` : undefined;
}

const isPhone = (type: NumberType) =>
	type === 'mobile' || type === 'fixedLine' || type === 'fixedLineOrMobile';

/** What is wrong with the length of a number of unknown type, if it is a mobile one otherwise. */
function wrongLengthOf(
	number: string,
	national: string,
	{ plans }: CallingCode,
): string | undefined {
	const isMobile = (digits: string) => plans.some((plan) => plan.isMobile(digits));
	// In most countries, all mobile numbers have one length: then there is nothing to look at.
	let lengths = 0;
	for (const plan of plans) lengths |= plan.mobileLengths;
	if (((lengths >> (national.length - 3)) & 0b10111) === 0) return undefined;
	if (classify(number).type !== 'unknown') return undefined;
	if ([-1, -2, -3].some((end) => isMobile(national.slice(0, end)))) return 'is too long';
	return [...'0123456789'].every((digit) => isMobile(national + digit))
		? 'is too short'
		: undefined;
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
	return isPhone(type) && !(onlyMobile && type === 'fixedLine');
}

const numbersOf = (candidates: Candidate[]) => candidates.map(({ number }) => number);

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
