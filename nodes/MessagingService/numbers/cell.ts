import { withoutInvisible } from '../texts';
import { EMPTY, LIST, lostDigits, notOneNumber, type NoNumber } from './problems';

/** A value that holds one phone number, as far as its characters tell. */
export interface Cell {
	/** In ASCII, without what a spreadsheet put around it. */
	text: string;
	digits: string;
	/** Whether the digits begin with the country code. */
	isInternational: boolean;
	problem?: undefined;
}

/** More than anyone writes around a number. */
const MAX_LENGTH = 200;

/** Reads what a spreadsheet, a database or a form holds. */
export function readCell(value: unknown): Cell | NoNumber {
	if (value === undefined || value === null) return EMPTY;
	if (Array.isArray(value)) return LIST;
	if (!['string', 'number', 'bigint'].includes(typeof value)) return notOneNumber(typeof value);
	const entered = String(value);
	if (PLAIN.test(entered)) return cellOf(entered);
	const trimmed = entered.trim();
	if (trimmed.length > MAX_LENGTH) return notOneNumber(trimmed);
	const text = unwrapped(inAscii(trimmed));
	if (text === '') return EMPTY;
	const whole = text.replace(DECIMAL_ZEROS, '');
	const isFraction = typeof value === 'number' ? whole.includes('.') : FRACTION.test(whole);
	if (isFraction || EXPONENT.test(text)) return lostDigits(text);
	return isOneNumber(whole) ? cellOf(whole) : notOneNumber(text);
}

const digitsIn = (text: string) => text.replace(/\D+/g, '');

function cellOf(text: string): Cell {
	return { text, digits: digitsIn(text), isInternational: text.includes('+') };
}

/** Digits and signs of other scripts in ASCII, without invisible characters. */
function inAscii(value: string): string {
	if (/^[ -~]*$/.test(value)) return value;
	return withoutInvisible(value)
		.replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(/[^\P{Nd}0-9]/gu, decimalDigit)
		.replace(/[\u2212\u30FC]|[^\P{Pd}-]/gu, '-')
		.replace(/[\t\p{Zs}]/gu, ' ');
}

/** Every script's digits are ten characters in a row, from its zero on. */
function decimalDigit(sign: string): string {
	const code = sign.codePointAt(0) ?? 0;
	let first = code;
	while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
	return String((code - first) % 10);
}

/** What stands inside quotation marks, a formula, an apostrophe or a link, and behind the p: of lead forms. */
function unwrapped(text: string): string {
	return text
		.replace(/^=?"(.*)"$/, '$1')
		.replace(/^(?:tel|p):/i, '')
		.replace(/^[=' ]+|[' ]+$/g, '');
}

/** Most numbers of a list: nothing but digits and blanks. */
const PLAIN = /^\+?(?=[ \d]*[1-9])\d(?: ?\d){4,30}$/;
/** 4.47701E+11 */
const EXPONENT = /^[+-]?\d+(?:[.,]\d+)? ?e ?[+-]?\d+$/i;
/** 447700900123.0 */
const DECIMAL_ZEROS = /(?<=^\+?\d{7,})[.,]0+$/;
/** 447700900123.5, 46205.375 (a date with a time), 51.507422 (degrees); but people write 338.1234567. */
const FRACTION = /^(?:\+?\d{7,}[.,]\d\d?|(?:[1-9]?\d|1[0-8]\d|[1-9]\d{4,})[.,]\d+)$/;
/** A + may stand before the first digit only. */
const ONE_NUMBER = /^[ ()[\]]*\+?[ ()[\]]*\d[\d ()[\].'/-]*$/;
/** 030 901820 (12) */
const EXTENSION = /[([] *[1-9]\d{0,2} *[)\]]$/;
/** 31.12.2026, 12/31/2026, 2026-12-31 */
const DATE = /^(?:[0-3]?\d([./-])[0-3]?\d\1(?:19|20)\d\d|(?:19|20)\d\d([./-])[0-3]?\d\2[0-3]?\d)$/;

/** Whether a text is digits with what people write between them, and neither a date nor more. */
function isOneNumber(text: string): boolean {
	return (
		ONE_NUMBER.test(text) &&
		/[1-9]/.test(text) &&
		!EXTENSION.test(text) &&
		!DATE.test(text) &&
		!hasOddSlash(text)
	);
}

/** A slash may stand between area code and number, but "030 901820/21" is two numbers. */
function hasOddSlash(text: string): boolean {
	const [before = '', after, ...others] = text.split('/');
	if (after === undefined) return false;
	const area = digitsIn(before).replace(/^0+/, '');
	const longestArea = before.includes('+') ? 7 : 5;
	return others.length > 0 || area.length > longestArea || digitsIn(after).length < 5;
}
