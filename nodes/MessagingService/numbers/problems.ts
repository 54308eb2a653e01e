import { type NumberType, TYPE_LABELS } from './numberTypes';

/** Why a value is not used as a phone number: one reason for each remedy. */
export type Reason = 'empty' | 'notOneNumber' | 'lostDigits' | 'invalid' | 'ambiguous' | 'type';

/** What is wrong with a value. */
export interface NumberProblem {
	reason: Reason;
	/** Continues "the phone number ...". */
	problem: string;
	/** A sentence on how to fix it. */
	advice: string;
}

/** With "The phone number " before it, a problem is a title of at most 80 characters. */
const MAX_PROBLEM = 63;

const WITH_CODE = 'Write + and the country code before the number';

/** What is wrong with a text, and as much of the text as a title has room for. */
function about(text: string, what: string): string {
	const line = text.replace(/\s+/g, ' ');
	const room = MAX_PROBLEM - what.length - ' ()'.length;
	return `${what} (${line.length > room ? `${line.slice(0, room - 1)}…` : line})`;
}

export const EMPTY: NumberProblem = {
	reason: 'empty',
	problem: 'is empty',
	advice: 'Enter a number in international form, for example +447700900123.',
};

export function notOneNumber(text: string): NumberProblem {
	return {
		reason: 'notOneNumber',
		problem: about(text, 'is not a single number'),
		advice:
			'Leave one number in the field: digits, blanks, hyphens, dots, brackets and a + before the country code. Put names, extensions and other numbers into other columns.',
	};
}

/** A spreadsheet has changed the number. */
export function lostDigits(text: string): NumberProblem {
	return {
		reason: 'lostDigits',
		problem: about(text, 'has lost digits'),
		advice:
			'Format the column as text in the spreadsheet (or put an apostrophe before the number) and import it again.',
	};
}

/** @param callingCode of the country whose numbering plan does not have the number */
export function invalid(text: string, callingCode?: string): NumberProblem {
	const code = callingCode === undefined ? '' : ` for country code +${callingCode}`;
	return {
		reason: 'invalid',
		problem: about(text, `is not a valid number${code}`),
		advice: `Check the digits and the country. ${WITH_CODE}, or set Default Country.`,
	};
}

export function ambiguous(text: string, numbers: readonly string[]): NumberProblem {
	return {
		reason: 'ambiguous',
		problem: about(text, 'is ambiguous'),
		advice: `It can be ${numbers.join(' or ')}. ${WITH_CODE}.`,
	};
}

/** @param isKnown whether the country of the number is known, and so its type */
export function notAllowed(text: string, type: NumberType, isKnown: boolean): NumberProblem {
	const label = TYPE_LABELS[type];
	return {
		reason: 'type',
		problem: about(text, `is of type ${label}, not allowed`),
		advice: isKnown
			? `Use another number, or add ${label} to Allowed Types in Options.`
			: `${WITH_CODE}, or set Default Country.`,
	};
}
