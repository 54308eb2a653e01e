import { type NumberType, TYPE_LABELS, TYPE_NAMES } from './numberTypes';
import type { CallingCode } from './plans';

/** Why a value is not used as a phone number: the same reason, the same key. */
export type Reason =
	| 'empty'
	| 'notText'
	| 'lostDigits'
	| 'placeholder'
	| 'letters'
	| 'characters'
	| 'twoNumbers'
	| 'extension'
	| 'digits'
	| 'length'
	| 'range'
	| 'countryCode'
	| 'ambiguous'
	| 'type';

/** What is wrong with a value. */
export interface NumberProblem {
	reason: Reason;
	/** Continues "the phone number ...". */
	problem: string;
	/** A sentence on how to fix it. */
	advice: string;
}

/** E.164 allows no more digits than this, the country code included. */
export const MAX_DIGITS = 15;

/** With "The phone number " before it, a problem is a title of at most 80 characters. */
const MAX_PROBLEM = 63;

const ENTER_NUMBER = 'Enter a number in international form, for example +447700900123.';
const WITH_CODE = 'Write + and the country code before the number.';

/** What is wrong with a text, and as much of the text as a title has room for. */
function about(text: string, what: string): string {
	const line = text.replace(/\s+/g, ' ');
	const room = MAX_PROBLEM - what.length - ' ()'.length;
	return `${what} (${line.length > room ? `${line.slice(0, room - 1)}…` : line})`;
}

const problemOf =
	(reason: Reason, what: string, advice: string) =>
	(text: string): NumberProblem => ({ reason, problem: about(text, what), advice });

export const EMPTY: NumberProblem = {
	reason: 'empty',
	problem: 'is empty',
	advice: ENTER_NUMBER,
};

export const NOT_TEXT: NumberProblem = {
	reason: 'notText',
	problem: 'is neither text nor a number',
	advice: ENTER_NUMBER,
};

/** @param what "is a negative number", for example */
export function lostDigits(text: string, what: string): NumberProblem {
	const advice =
		'Format the column as text in the spreadsheet (or put an apostrophe before the number) and import it again.';
	return problemOf('lostDigits', what, advice)(text);
}

export const missing = problemOf('placeholder', 'is missing', ENTER_NUMBER);
export const isDate = problemOf('placeholder', 'is a date', ENTER_NUMBER);
export const longText = problemOf('characters', 'is a long text', ENTER_NUMBER);

export const hasLetters = problemOf(
	'letters',
	'contains letters',
	'Put labels, names and notes into another column, so that only the number remains.',
);

export const hasOtherCharacters = problemOf(
	'characters',
	'contains characters that no phone number has',
	'Remove everything but digits, blanks, hyphens, dots, brackets and the + before the country code.',
);

export const hasTwoNumbers = problemOf(
	'twoNumbers',
	'may hold two numbers',
	'Give each number a row of its own, and write it on one line without slashes.',
);

export const hasExtension = problemOf(
	'extension',
	'has an extension',
	'Remove the extension: a campaign cannot dial it.',
);

export const unknownCode = problemOf(
	'countryCode',
	'has an unknown country code',
	'Write + and the country code, followed by the number without its leading zero.',
);

export const withoutPlus = problemOf(
	'countryCode',
	'has no + before its country code',
	'Write + and the country code, followed by the number without its leading zero.',
);

export function tooFewDigits(text: string, count: number): NumberProblem {
	const what = `has only ${count} digit${count === 1 ? '' : 's'}`;
	const advice = 'Set Default Country if the numbers of your country are this short.';
	return problemOf('digits', what, advice)(text);
}

export function tooManyDigits(text: string, count: number): NumberProblem {
	const what = `has ${count} digits, more than any phone number`;
	return problemOf('digits', what, 'Check that the field holds one number and nothing else.')(text);
}

/** @param what "is too short", for example */
export function wrongLength(text: string, callingCode: string, what: string): NumberProblem {
	const advice = 'Check the digits of the number and its country.';
	return problemOf('length', `${what} for country code +${callingCode}`, advice)(text);
}

/** The plan of the calling code does not allow the digits after it. */
export function impossible(
	text: string,
	{ digits, main }: CallingCode,
	national: string,
): NumberProblem {
	if (national.length < main.shortest) return wrongLength(text, digits, 'is too short');
	if (national.length > main.longest) return wrongLength(text, digits, 'is too long');
	return wrongLength(text, digits, 'is not possible');
}

export function notInUse(text: string, callingCode: string): NumberProblem {
	const advice =
		'Check the digits and Default Country. If the number is correct, write it with + and its country code.';
	return problemOf('range', `is in no range in use of +${callingCode}`, advice)(text);
}

export function ambiguous(text: string, numbers: readonly string[]): NumberProblem {
	const advice = `It can be ${numbers.join(' or ')}. ${WITH_CODE}`;
	return problemOf('ambiguous', 'is ambiguous', advice)(text);
}

/** @param isKnown whether the country of the number is known, and so its type */
export function notAllowed(text: string, type: NumberType, isKnown: boolean): NumberProblem {
	const advice = isKnown
		? `Use another number, or add ${TYPE_LABELS[type]} to Allowed Types in Options.`
		: 'Set Default Country, or write + and the country code before the number.';
	return problemOf('type', `is a ${TYPE_NAMES[type]}, not allowed`, advice)(text);
}
