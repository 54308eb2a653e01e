import {
	EMPTY,
	hasExtension,
	hasLetters,
	hasOtherCharacters,
	hasTwoNumbers,
	isDate,
	longText,
	lostDigits,
	missing,
	NOT_TEXT,
	type NumberProblem,
} from './problems';

/** A value that holds one phone number, as far as its characters tell. */
export interface Cell {
	/** In ASCII, without what a spreadsheet put around it. */
	text: string;
	digits: string;
	/** Whether the digits begin with the country code. */
	isInternational: boolean;
	/** The digits without a zero in brackets after the country code, if there is one. */
	withoutZero?: string;
	problem?: undefined;
}

/** Reads what a spreadsheet, a database or a form holds. */
export function readCell(value: unknown): Cell | NumberProblem {
	if (typeof value === 'number' || typeof value === 'bigint') {
		const isDamaged = value < 0 || (typeof value === 'number' && !Number.isSafeInteger(value));
		const text = String(value);
		return isDamaged ? lostDigits(text, 'is a number that has lost digits') : readText(text);
	}
	if (value === undefined || value === null) return EMPTY;
	return typeof value === 'string' ? readText(value) : NOT_TEXT;
}

/** Groups of digits with nothing between them that could mean something else. */
const SIMPLE = /^(?!\(?\d{1,2}\) )\(?\+?(?=\d*[1-9])\d(?:(?:[ ()-]|\) | \()?\d){4,30}$/;
/** More than anyone writes around a number. */
const MAX_LENGTH = 200;

function readText(value: string): Cell | NumberProblem {
	// Most numbers of a list are simple.
	const isSimple = SIMPLE.test(value) && !(value.length <= LONGEST_DATE && DATE.test(value));
	const text = isSimple ? value : unwrapped(inAscii(value.trim().slice(0, MAX_LENGTH + 1)));
	if (text === '') return EMPTY;
	if (text.length > MAX_LENGTH) return longText(text);
	const whole = isSimple ? undefined : withoutNumberFormat(text);
	if (typeof whole === 'object') return whole;
	const number = whole ?? text;
	const cell = cellOf(number);
	const content = isSimple ? undefined : otherContent(number);
	return content ?? (hasTwoHalves(cell) ? hasTwoNumbers(number) : cell);
}

const digitsOf = (text: string) => text.replace(/\D+/g, '');

/** A zero in brackets after the country code: +44 (0)7700 900123. */
const BRACKETED_ZERO = /^\D*\d{1,5}\D*?([([] *0 *[)\]])/;

function cellOf(text: string): Cell {
	const digits = digitsOf(text);
	const zero = /[([]/.test(text) ? BRACKETED_ZERO.exec(text)?.[1] : undefined;
	return {
		text,
		digits,
		isInternational: text.includes('+'),
		...(zero === undefined ? {} : { withoutZero: digitsOf(text.replace(zero, '')) }),
	};
}

/** Digits and signs of other scripts in ASCII, without invisible characters. */
function inAscii(value: string): string {
	if (/^[ -~]*$/.test(value)) return value;
	return value
		.replace(/\p{Cf}/gu, '')
		.replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(/[^\P{Nd}0-9]/gu, decimalDigit)
		.replace(/[\u2212\u30FC]|[^\P{Pd}-]/gu, '-')
		.replace(/[\u2018\u2019]/g, "'")
		.replace(/[\u201C-\u201E]/g, '"')
		.replace(/\r\n?|[\u2028\u2029]/g, '\n')
		.replace(/[^\S\n ]/g, ' ');
}

/** Every script's digits are ten characters in a row, from its zero on. */
function decimalDigit(sign: string): string {
	const code = sign.codePointAt(0) ?? 0;
	let first = code;
	while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
	return String((code - first) % 10);
}

/** What stands inside quotation marks, a formula, an apostrophe or a link. */
function unwrapped(text: string): string {
	return text
		.replace(/^\s*=?"(.*)"\s*$/s, '$1')
		.replace(/^(?:tel|sms|whatsapp):/i, '')
		.replace(/^[='\s]+|[,;/'\s]+$/g, '');
}

const EXPONENT = /^[+-]?\d+(?:[.,](\d+))? ?e ?([+-]?\d+)$/i;
/** Digits, also in groups of three, and decimals. */
const DECIMAL = /^(\+?\d{7,}|\d{1,3}(?:,\d{3}){2,})(?:[.,](\d\d?|0+))?$/;

/** The text without the groups and decimals that a number format has added, or what it has taken. */
function withoutNumberFormat(text: string): string | NumberProblem | undefined {
	const exponent = EXPONENT.exec(text);
	if (exponent !== null) {
		const [, decimals = '', places] = exponent;
		// As many decimals as the exponent moves to the front: none has been rounded away.
		const isWhole = decimals.length === Number(places);
		return lostDigits(
			text,
			isWhole ? 'is in exponent form' : 'is in exponent form and has lost digits',
		);
	}
	if (/^-\d{5,}(?:[.,]\d+)?$/.test(text)) return lostDigits(text, 'is a negative number');
	const [, whole, decimals = '0'] = DECIMAL.exec(text) ?? [];
	if (!/^0+$/.test(decimals)) return lostDigits(text, 'is a decimal number');
	return whole?.replaceAll(',', '');
}

const LONGEST_DATE = '2026-12-31'.length;
/** 31.12.2026, 12/31/2026, 2026-12-31, with or without a time. */
const DATE = new RegExp(
	String.raw`^(?:DAY([./-])DAY\1YEAR|YEAR([./-])DAY\2DAY)(?:[ T]\d?\d:.*)?$`
		.replaceAll('DAY', String.raw`(?:0?[1-9]|[12]\d|3[01])`)
		.replaceAll('YEAR', String.raw`(?:19|20)\d\d`),
);

const EXTENSION =
	/\d\D*?(?:e?xt(?:n|ension)?|x|#)[\s.:=]*\d{1,8}$|[([]\s*[1-9]\d{0,2}\s*[)\]]$|#$/i;

/** The number of a line: "2. 030 901820". */
const LIST_NUMBER = /^(?:\(?[1-9]|[1-9]\d)[.)] +0/;

/** What a single phone number does not hold: nothing, a date, a second number, an extension, letters. */
function otherContent(text: string): NumberProblem | undefined {
	// Superscripts are numerals too, but no digits: their text is not missing.
	if (!/[1-9\p{No}\p{Nl}]/u.test(text)) return missing(text);
	if (DATE.test(text)) return isDate(text);
	const wholeNumbers = text
		.split(/[^\d ().-]+| - | {2,}/)
		.filter((part) => isWhole(digitsOf(part)));
	const isOnTwoLines = /\d.*\n.*\d/s.test(text);
	if (wholeNumbers.length > 1 || isOnTwoLines || hasOddSlash(text) || LIST_NUMBER.test(text)) {
		return hasTwoNumbers(text);
	}
	if (EXTENSION.test(text)) return hasExtension(text);
	if (/\p{L}/u.test(text)) return hasLetters(text);
	return /\d[^+]*\+|\+.*\+|[^\d ()[\].'+/-]/.test(text) ? hasOtherCharacters(text) : undefined;
}

/** Digits of a whole number, not of an area code or a part of a number. */
const isWhole = (digits: string) => digits.length >= 7;

/** A slash may stand between area code and number, but "030 901820/21" is two numbers. */
function hasOddSlash(text: string): boolean {
	const [before = '', after, ...others] = text.split('/');
	if (after === undefined) return false;
	const area = digitsOf(before).replace(/^0+/, '');
	const longestArea = /^\D*(?:\+|00)/.test(before) ? 7 : 5;
	return others.length > 0 || area.length > longestArea || digitsOf(after).length < 5;
}

/** Whether blanks or hyphens separate two numbers: 7123456 7123457. */
function hasTwoHalves({ text, digits, isInternational }: Cell): boolean {
	if (isInternational || digits.length < 14 || digits.startsWith('00')) return false;
	return [...text.matchAll(/\D+/g)].some(
		({ index }) => isWhole(digitsOf(text.slice(0, index))) && isWhole(digitsOf(text.slice(index))),
	);
}
