import { upperFirst } from 'lodash';

/** A text of at most so many characters. */
export function shorten(text: string, characters: number): string {
	return text.length <= characters ? text : `${text.slice(0, characters - 3)}...`;
}

/** What an error says, or whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** A text in one line. */
export function inOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** A text or a number as text, without blanks around it; empty for anything else. */
export function trimmed(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** The entries of a list, of one value, or of a text with commas, semicolons or line breaks. */
export function entriesIn(value: unknown): string[] {
	return String(value ?? '')
		.split(/[,;\n]+/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** What a value is that should be text: "a number", "an object". */
export function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'an array';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether a response is a web page. */
export function looksLikeHtml(text: string): boolean {
	return /^\s*(<\?xml[^>]*>\s*)?<(!doctype html|html|head|body)/i.test(text);
}

/** Whether a response is HTML or XML: nothing to show as a text. */
export function looksLikeMarkup(text: string): boolean {
	return /^\s*<[!?a-z]/i.test(text);
}

/** Names of headers and query parameters that n8n's HTTP library drops silently. */
const DROPPED_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a header or query parameter of this name would be missing from the request. */
export function isDroppedName(name: string): boolean {
	return DROPPED_NAMES.has(name);
}

/** Whether a text has half of a surrogate pair, which no URL can carry. */
export function hasInvalidUnicode(text: string): boolean {
	return !text.isWellFormed();
}

/** A text without what nobody sees in it: a byte order mark, marks of direction, filling characters. */
export function withoutInvisible(text: string): string {
	return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, '');
}

/**
 * A name as people read it: without blanks around it, and with one blank where a sheet has a line
 * break. A letter with its accent is one character, as it is typed; files of macOS have two.
 */
export function visibleName(name: string): string {
	return withoutInvisible(name).normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** A name, with what cannot be seen in it: "[U+FEFF]phone[blank]". */
export function shownName(name: string): string {
	return name
		.replace(
			/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]|(?! )\p{Zs}/gu,
			(sign) => `[U+${hexadecimal(sign)}]`,
		)
		.replace(/^ +| +$/g, (blanks) => '[blank]'.repeat(blanks.length));
}

/** The code point of a character, as Unicode writes it: "00A0". */
export function hexadecimal(character: string): string {
	return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

const MAX_SHOWN_CHARACTERS = 30;

/** A value as an error title shows it: on one line and short. */
export function shown(value: unknown): string {
	const text = typeof value === 'object' && value !== null ? jsonOf(value) : String(value);
	const characters = [...inOneLine(text)];
	return characters.length > MAX_SHOWN_CHARACTERS
		? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}...`
		: characters.join('');
}

function jsonOf(value: object): string {
	try {
		return JSON.stringify(value);
	} catch {
		return 'an object';
	}
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
	return /^.*?[.!?](?= \p{Lu})/su.exec(text)?.[0] ?? text;
}

/** A title or a clause as one sentence. */
export function sentenceOf(text: string): string {
	const start = upperFirst(text.trim());
	return start === '' || /[.!?]$/.test(start) ? start : `${start}.`;
}

/** "1 row", "1,234 rows". */
export function counted(count: number, noun: string): string {
	return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "1,234". */
export function figure(count: number): string {
	return count.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
