import { type Cell, type NumberProblem, about } from './cell';
import type { CallingCode } from './plans';

/** E.164 allows no more digits than this, the country code included. */
export const MAX_DIGITS = 15;

const CHECK_DIGITS = 'Check the digits of the number.';

export function ambiguous(cell: Cell, numbers: string[]): NumberProblem {
	return {
		reason: 'ambiguous',
		problem: about(cell.text, 'is ambiguous'),
		advice: `It can be ${numbers.join(' or ')}. Write + and the country code before the number.`,
	};
}

export function tooManyDigits({ text, digits }: Cell): NumberProblem {
	return {
		reason: 'digits',
		problem: about(text, `has ${digits.length} digits, more than any phone number`),
		advice: 'Check that the field holds one number and nothing else.',
	};
}

/** No number of the calling code has so many digits. */
export function impossible(cell: Cell, code: CallingCode, national: string): NumberProblem {
	const completed = code.digits.length + national.length;
	if (Math.min(completed, cell.digits.length) > MAX_DIGITS) return tooManyDigits(cell);
	const lengths = Array.from({ length: 18 }, (_, length) => length).filter((length) =>
		code.main.hasLength(length),
	);
	const what =
		national.length < (lengths[0] ?? 0)
			? 'is too short'
			: national.length > (lengths.at(-1) ?? 0)
				? 'is too long'
				: 'is not possible';
	return wrongLength(cell, code, what);
}

/** @param what "is too short", for example */
export function wrongLength(cell: Cell, code: CallingCode, what: string): NumberProblem {
	return {
		reason: 'length',
		problem: about(cell.text, `${what} for country code +${code.digits}`),
		advice: CHECK_DIGITS,
	};
}
