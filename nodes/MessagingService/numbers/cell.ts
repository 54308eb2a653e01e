import { hasOtherText, withoutLabel } from './labels';
import { plainText } from './plainText';

/** Why a value is not used as a phone number: the same reason, the same key. */
export type Reason =
	| 'empty'
	| 'notText'
	| 'lostDigits'
	| 'placeholder'
	| 'letters'
	| 'text'
	| 'characters'
	| 'twoNumbers'
	| 'extension'
	| 'digits'
	| 'length'
	| 'countryCode'
	| 'leadingZero'
	| 'ambiguous'
	| 'type';

/** What is wrong with a value. */
export interface NumberProblem {
	reason: Reason;
	/** Continues "the phone number ...". */
	problem: string;
	/** A sentence on how to fix it. */
	advice?: string;
}

/** A value that holds one phone number, as far as its characters tell. */
export interface Cell {
	/** In plain characters: ASCII digits, no invisible ones, nothing that a spreadsheet put around it. */
	text: string;
	/** Its digits. */
	digits: string;
	/** Whether they begin with the country code. */
	isInternational: boolean;
	/** The digits without a zero in brackets after the country code, if there is one. */
	withoutBracketedZero?: string;
	/** Whether a slash separates what may be two numbers. */
	mayBeTwo: boolean;
	problem?: undefined;
}

const KEEP_AS_TEXT =
	'Format the column as text in the spreadsheet (or put an apostrophe before the number) and import it again.';

/** Reads what a spreadsheet, a database or a form holds. */
export function readCell(value: unknown): Cell | NumberProblem {
	if (typeof value === 'number' || typeof value === 'bigint') {
		if (value < 0 || (typeof value === 'number' && !Number.isSafeInteger(value))) {
			return lostDigits(about(String(value), 'is a number that has lost digits'));
		}
		return readText(String(value));
	}
	if (value === undefined || value === null) return { reason: 'empty', problem: 'is empty' };
	if (typeof value !== 'string') {
		return { reason: 'notText', problem: 'is neither text nor a number' };
	}
	return readText(value);
}

function readText(value: string): Cell | NumberProblem {
	// Most numbers of a list hold nothing that could mean something else.
	if (SIMPLE.test(value) && !DATE.test(value.trim())) return cellOf(value.trim(), false);
	const text = plainText(value.trim().slice(0, MAX_LENGTH + 1));
	if (text === '') return { reason: 'empty', problem: 'is empty' };
	if (text.length > MAX_LENGTH) {
		return { reason: 'characters', problem: about(text, 'is a long text') };
	}
	const number = /\p{L}/u.test(text) ? withoutLabel(text) : withoutCommas(text);
	return numericDamage(number) ?? foreignContent(number) ?? cellOf(number, fullNumbers(number) > 1);
}

/** 6,12,34,56,78: groups of digits, none of them long enough for a number or short enough for a list. */
function withoutCommas(text: string): string {
	const isGrouped = text.includes(',') && /^\+?\d{1,5}(?:, ?\d{2,4}){2,}$/.test(text);
	return isGrouped && !DECIMAL.test(text) ? text.replace(/, ?/g, ' ') : text;
}

/** A cell with this text, in plain characters and without anything but a number. */
export function cellOf(text: string, mayBeTwo: boolean): Cell {
	const hasBracketedZero = /[([]/.test(text) && BRACKETED_ZERO.test(text);
	return {
		text,
		digits: digitsOf(text),
		isInternational: text.startsWith('+') || (text.includes('+') && /^[^\d+]*\+/.test(text)),
		withoutBracketedZero: hasBracketedZero
			? digitsOf(text.replace(/[([] *0 *[)\]]/, ''))
			: undefined,
		mayBeTwo,
	};
}

const digitsOf = (text: string) => (/^\d+$/.test(text) ? text : text.replace(/\D+/g, ''));

/** One number, of digits in groups, and not a zero. */
const SIMPLE = /^\+?(?=\d*[1-9])\d(?:[ ()-]?\d|\) ?\d| \(\d){4,30}$/;

/** More than anyone writes around a number. */
const MAX_LENGTH = 200;

/** A zero in brackets after the country code: "+44 (0)7700 900123". */
const BRACKETED_ZERO = /^\D*\d{1,5}\D*[([] *0 *[)\]]/;

/** Whether a number format has taken digits, and the text without the decimals that it has added. */
function numericDamage(text: string): Cell | NumberProblem | undefined {
	const [, before, after = '', exponent] =
		/^[+-]?(\d+)(?:[.,](\d+))? ?e ?([+-]?\d+)$/i.exec(text) ?? [];
	if (before !== undefined) {
		// As many decimals as the exponent moves to the front: none has been rounded away.
		const isWhole = after.length === Number(exponent);
		const problem = isWhole ? 'is in exponent form' : 'is in exponent form and has lost digits';
		return lostDigits(about(text, problem));
	}
	if (/^-\d+([.,]\d+)?$/.test(text)) {
		return lostDigits(about(text, 'is a negative number'));
	}
	const [, whole, decimals] = DECIMAL.exec(text) ?? GROUPED_WITH_DOTS.exec(text) ?? [];
	if (whole === undefined || (decimals === undefined && !whole.includes(','))) return undefined;
	if (decimals !== undefined && !/^0+$/.test(decimals)) {
		return lostDigits(about(text, 'is a decimal number'));
	}
	return readText(whole.replace(/[,.]/g, ''));
}

/** Digits, also in groups as in English and in India (9,87,65,43,210), and decimals. */
const DECIMAL =
	/^(\+?\d{6,}|\d{1,3}(?:,\d{3}){2,}|\d{1,2}(?:,\d\d){2,},\d{3})(?:[.,](\d{1,2}|0+))?$/;
/** 447.700.900.123,00 */
const GROUPED_WITH_DOTS = /^(\d{1,3}(?:\.\d{3}){2,}),(\d{1,2})$/;

function lostDigits(problem: string): NumberProblem {
	return { reason: 'lostDigits', problem, advice: KEEP_AS_TEXT };
}

const EXTENSION = new RegExp(
	[
		String.raw`(?<=[\d\s),;.])(?:e?xt(?:\.|n|ension|ensi[oó]n)?|x|dw|durchwahl|poste|int|interno?|anexo|ramal|доб|内線)`,
		String.raw`[\s.:=#-]*\d{1,8}[\s#)]*$|#\s*\d{1,8}#?$|(?:;|,+)\s*\d{1,6}#?$|[([]\s*\d{1,3}\s*[)\]]\s*$`,
	].join(''),
	'iu',
);

/** 31.12.2026, 12/31/2026, 2026-12-31, with or without a time. */
const DATE = new RegExp(
	String.raw`^(?:DAY([./-])DAY\1YEAR|YEAR([./-])DAY\2DAY)(?:[ T]\d?\d:.*)?$`
		.replaceAll('DAY', String.raw`(?:0?[1-9]|[12]\d|3[01])`)
		.replaceAll('YEAR', String.raw`(?:19|20)\d\d`),
);

/** 20261231: also a phone number in some countries. */
const COMPACT_DATE = /^(?:19[3-9]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** A date without separators, for digits that are no number of a known type. */
export function compactDate(text: string): NumberProblem | undefined {
	if (!COMPACT_DATE.test(text)) return undefined;
	return { reason: 'placeholder', problem: about(text, 'is a date') };
}

/** What a single phone number does not hold: nothing at all, letters, a second number, an extension. */
function foreignContent(text: string): NumberProblem | undefined {
	if (!/[1-9\p{No}\p{Nl}]/u.test(text)) {
		return { reason: 'placeholder', problem: about(text, 'is missing') };
	}
	if (DATE.test(text)) {
		return { reason: 'placeholder', problem: about(text, 'is a date') };
	}
	const hasDigitsBeforePlus = /\d[^+]*\+/.test(text);
	const separators = text.replace(/[\d\s()[\].'_+-]/g, '');
	if (fullNumbers(text) > 1 && (hasDigitsBeforePlus || /[^/\\]/.test(separators))) {
		return twoNumbers(text);
	}
	const [first = 0, last = 0, ...others] = text.split(/[/\\]/).map(digitCount);
	if (first >= 7 && last > 0 && last <= 4 && others.length === 0) return twoNumbers(text);
	if (text.includes('\n') && fullNumbers(text) === 1 && /\d\s*\n[^\d]*\d/.test(text)) {
		return twoNumbers(text);
	}
	if (EXTENSION.test(text) && digitCount(text.replace(EXTENSION, '')) >= 5) {
		return {
			reason: 'extension',
			problem: about(text, 'has an extension'),
			advice: 'Remove the extension: a campaign cannot dial it.',
		};
	}
	if (/\p{L}/u.test(text)) {
		if (hasOtherText(text)) {
			return {
				reason: 'text',
				problem: about(text, 'has text beside the number'),
				advice: 'Put the text into a column of its own.',
			};
		}
		return { reason: 'letters', problem: about(text, 'contains letters') };
	}
	if (hasDigitsBeforePlus || /[^\d\s()[\].,'_+/\\-]/u.test(text)) {
		return {
			reason: 'characters',
			problem: about(text, 'contains characters that no phone number has'),
		};
	}
	return undefined;
}

/** Two numbers in one cell. */
export function twoNumbers(text: string): NumberProblem {
	return {
		reason: 'twoNumbers',
		problem: about(text, 'holds two numbers'),
		advice: 'Give each number a row of its own.',
	};
}

const digitCount = (text: string) => text.replace(/\D/g, '').length;

/** How many parts of the text have the digits of a whole number. */
function fullNumbers(text: string): number {
	return text.split(/[/\\|,;&\n+]|\p{L}+|\s-\s|\s{2,}/u).filter((part) => digitCount(part) >= 7)
		.length;
}

/** With "The phone number " before it, a problem is a title of at most 80 characters. */
const MAX_PROBLEM = 63;

/** A problem with the text that it is about: as much of it as a title has room for. */
export function about(text: string, problem: string): string {
	const line = text.replace(/\s+/g, ' ');
	const room = MAX_PROBLEM - problem.length - ' ()'.length;
	return `${problem} (${line.length > room ? `${line.slice(0, room - 1)}…` : line})`;
}
