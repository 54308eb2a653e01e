import { LIST_ADVICE } from '../parameters/values';
import type { Reason, ReasonCode } from '../reason';
import { type NumberType, TYPE_LABELS } from './numberTypes';

/** A value that is no phone number, or not one to use. */
export interface NoNumber {
	problem: Reason;
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

function noNumber(code: ReasonCode, text: string, advice: string): NoNumber {
	return { problem: { code, text, advice } };
}

export const EMPTY = noNumber(
	'empty',
	'is empty',
	'Enter a number in international form, for example +447700900123.',
);

/** A text that is more than a number, or a value that is none. */
export function notOneNumber(text: string): NoNumber {
	return noNumber(
		'notOneNumber',
		about(text, 'is not a single number'),
		'Leave one number in the field: digits, blanks, hyphens, dots, brackets and a + before the country code. Put names and extensions into other columns, and a second person into a row of their own.',
	);
}

/** Several numbers, or one in a list: nobody can tell which is meant. */
export const LIST = noNumber('notOneNumber', 'is a list', LIST_ADVICE);

/** A spreadsheet has changed the number. */
export function lostDigits(text: string): NoNumber {
	return noNumber(
		'lostDigits',
		about(text, 'has lost digits'),
		'Format the column as text in the spreadsheet, then restore the numbers.',
	);
}

/** A spreadsheet has changed the number, and then shown it as digits again. */
export function rounded(text: string): NoNumber {
	return noNumber(
		'lostDigits',
		about(text, 'has lost digits'),
		'Restore the numbers in the spreadsheet, with the column formatted as text. If this one really ends in zeros, write + before it.',
	);
}

/** @param callingCode of the country whose numbering plan does not have the number */
export function invalid(text: string, callingCode?: string): NoNumber {
	const code = callingCode === undefined ? '' : ` for country code +${callingCode}`;
	return noNumber(
		'invalid',
		about(text, `is not a valid number${code}`),
		`Check the digits and the country. ${WITH_CODE}, or set Default Country.`,
	);
}

/** @param today the number that the country has made of it */
export function replaced(text: string, today: string): NoNumber {
	return noNumber(
		'invalid',
		about(text, 'is an old spelling, not valid any more'),
		`Write ${today}: its country has changed such numbers.`,
	);
}

/** @param numbers what it can be, in international form */
export function ambiguous(text: string, numbers: readonly string[]): NoNumber {
	return noNumber(
		'ambiguous',
		about(text, 'is ambiguous'),
		`It can be ${numbers.join(' or ')}. ${WITH_CODE}.`,
	);
}

/** @param isKnown whether the country of the number is known, and so its type */
export function notAllowed(text: string, type: NumberType, isKnown: boolean): NoNumber {
	const label = TYPE_LABELS[type];
	return noNumber(
		'type',
		about(text, `is of type ${label}, not allowed`),
		isKnown
			? `Use another number, or add ${label} to Allowed Number Types in Options.`
			: `${WITH_CODE}, or set Default Country.`,
	);
}
