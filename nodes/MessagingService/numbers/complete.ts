import { afterKnownExitCode, inFull, withOrWithoutZero } from './candidates';
import { about, type Cell, cellOf, twoNumbers } from './cell';
import { classify } from './classify';
import { type Completion, nationalOrInternational } from './national';
import { callingCodeOf, type Plan } from './plans';
import { ambiguous, impossible, MAX_DIGITS, tooManyDigits } from './problems';

/** Shorter numbers do not exist with country code, and without one they are local. */
const MIN_DIGITS = 7;

/**
 * The number in E.164, where it can be determined without guessing; undefined where it cannot.
 *
 * @param country the plan of Default Country
 */
export function complete(cell: Cell, country: Plan | undefined): Completion {
	const completion = completeOne(cell, country);
	const isUnclear = completion.problem !== undefined || completion.number === undefined;
	if (isUnclear && cell.mayBeTwo) return twoNumbers(cell.text);
	if (completion.problem === undefined || !isLong(completion.reason, cell)) return completion;
	return splitsInTwo(cell, country) ? twoNumbers(cell.text) : completion;
}

const isLong = (reason: string, { digits }: Cell) =>
	(reason === 'digits' || reason === 'length') && digits.length >= 2 * MIN_DIGITS;

/** Whether the text is two numbers with a blank or another sign between them. */
function splitsInTwo({ text }: Cell, country: Plan | undefined): boolean {
	return [...text.matchAll(/[^\d+]+/g)].some(({ 0: { length }, index }) => {
		const halves = [text.slice(0, index), text.slice(index + length)];
		return halves.every((half) => isWholeNumber(half, country));
	});
}

function isWholeNumber(text: string, country: Plan | undefined): boolean {
	const cell = cellOf(text, false);
	if (cell.digits.length < MIN_DIGITS) return false;
	const { problem, number } = { number: undefined, ...completeOne(cell, country) };
	if (problem !== undefined) return false;
	if (number === undefined) return /^0[1-9]/.test(cell.digits) && cell.digits.length >= 9;
	return /^\D*[0+]/.test(text) || classify(number).type !== 'unknown';
}

function completeOne(cell: Cell, country: Plan | undefined): Completion {
	if (cell.isInternational) return notDoubled(cell, international(cell));
	return notDoubled(
		cell,
		afterCountryCode(cell) ??
			(country === undefined ? withoutCountry(cell) : nationalOrInternational(cell, country)),
	);
}

/** A number whose country code may have been written twice is not sent: +49 49 151 23456789. */
function notDoubled(cell: Cell, completion: Completion): Completion {
	if (completion.problem !== undefined || completion.number === undefined) return completion;
	const { number } = completion;
	const code = callingCodeOf(number, 1);
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
	if (cell.withoutBracketedZero === undefined) return undefined;
	const before = /^\D*(?:00)?([1-9]\d{0,2})\D*[([] *0 *[)\]]/.exec(cell.text)?.[1];
	if (before === undefined || callingCodeOf(before)?.digits !== before) return undefined;
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
