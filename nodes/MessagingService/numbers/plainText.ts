/**
 * A text in plain characters: ASCII digits, signs and blanks instead of those of other scripts, no
 * invisible characters, and nothing that a spreadsheet or a link puts around a phone number.
 */
export function plainText(value: string): string {
	return unwrapped(PLAIN.test(value) ? value : inPlainCharacters(value));
}

/** Printable ASCII. */
const PLAIN = /^[ -~]*$/;

function inPlainCharacters(value: string): string {
	return value
		.replace(/[\p{Cf}\p{Mn}\u{260E}\u{260F}\u{2706}\u{1F4DE}\u{1F4F1}]/gu, '')
		.replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(/[^\P{Nd}0-9]/gu, decimalDigit)
		.replace(/[\u2212\u30FC\uFF70]|[^\P{Pd}-]/gu, '-')
		.replace(/[\uFE62\u2795]/g, '+')
		.replace(/[\u00B7\u2022\u2024\u2027\u30FB\u3002\uFF65]/g, '.')
		.replace(/[\u2018\u2019\u201B\u2032\u00B4\u0060]/g, "'")
		.replace(/[\u201C\u201D\u201E]/g, '"')
		.replace(/[\u2028\u2029\r]/g, '\n')
		.replace(/[^\S\n ]/g, ' ')
		.replace(/[^\P{Cc}\n]/gu, '');
}

/** Every script's digits are ten characters in a row, from its zero on. */
function decimalDigit(sign: string): string {
	const code = sign.codePointAt(0) ?? 0;
	let first = code;
	while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
	return String((code - first) % 10);
}

/** Signs that a link or a page has written in its own way. */
function decoded(value: string): string {
	return value.replace(/%2B|&plus;|&#43;/gi, '+').replace(/%20|&nbsp;|&#160;/gi, ' ');
}

/** What stands inside quotation marks, a formula, an apostrophe or a link. */
function unwrapped(value: string): string {
	const text = (/[%&]/.test(value) ? decoded(value) : value)
		.trim()
		.replace(/^=?"(.*)"$/s, '$1')
		.replace(/^[='<]+/, '')
		.replace(/['>\s,;/|]+$/, '')
		.trim();
	const link = /^(?:tel|sms|callto):(?:\/\/)?(.*)$/is.exec(text);
	if (link === null) return text;
	const content = (link[1] ?? '').replace(/\?.*$/s, '');
	const context = /;phone-context=(\+\d+)/i.exec(content)?.[1] ?? '';
	return (context + content.replace(/;(?:phone-context|isub)=[^;]*/gi, '')).trim();
}
