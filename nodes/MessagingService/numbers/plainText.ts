/**
 * A text in plain characters: ASCII digits, signs and blanks instead of those of other scripts, no
 * invisible characters, and nothing that a spreadsheet or a link puts around a phone number.
 */
export function plainText(value: string): string {
	const text = /[%&<]/.test(value) ? decoded(value) : value;
	return unwrapped(PLAIN.test(text) ? text : inPlainCharacters(text));
}

/** Printable ASCII. */
const PLAIN = /^[ -~]*$/;

function inPlainCharacters(value: string): string {
	return value
		.replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, '')
		.replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(/[^\P{Nd}0-9]/gu, decimalDigit)
		.replace(/[\u2212\u30FC\uFF70]|[^\P{Pd}-]/gu, '-')
		.replace(/[\uFE62\u2795]/g, '+')
		.replace(/[\p{Extended_Pictographic}\p{Regional_Indicator}\u2706]/gu, '')
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

/** Signs that a link or a page has written in its own way, without its tags. */
function decoded(value: string): string {
	return value
		.replace(/%(2[0B89D])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/&#(?:x([\da-f]{1,4})|(\d{1,5}));/gi, (_, hex?: string, decimal = '') =>
			String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
		)
		.replace(/&([a-z]+);/gi, (sign, name: string) => ENTITIES.get(name.toLowerCase()) ?? sign)
		.replace(/<\/?[a-z][^<>]*>/gi, ' ');
}

const ENTITIES: ReadonlyMap<string, string> = new Map(
	Object.entries({
		...{ plus: '+', lpar: '(', rpar: ')', quot: '"', apos: "'", amp: '&', period: '.', sol: '/' },
		...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', zwj: '', zwnj: '', lrm: '', rlm: '' },
		...{ shy: '', ndash: '-', mdash: '-', minus: '-', hyphen: '-' },
	}),
);

/** What stands inside quotation marks, a formula, an apostrophe or a link. */
function unwrapped(value: string): string {
	const text = value
		.trim()
		.replace(/^=?"(.*)"$/s, '$1')
		.replace(/^[='<\s]+/, '')
		.replace(/['>\s,;/|]+$/, '')
		// As in 8~10, the exit code of Russia.
		.replace(/(?<=\d)~(?=\d)/g, '-')
		.trim();
	const account =
		/^(?:(?:https?:\/\/)?wa\.me\/\+?(\d{7,15})|(\d{7,15})@(?:c\.us|s\.whatsapp\.net))$/i;
	const [, ofLink, ofAddress = ofLink] = account.exec(text) ?? [];
	if (ofAddress !== undefined) return `+${ofAddress}`;
	const link = /^(?:tel|sms|smsto|callto|whatsapp):(?:\/\/)?(.*)$/is.exec(text);
	if (link === null) return text;
	const content = (link[1] ?? '').replace(/^['\s]+|\?.*$/gs, '');
	const context = /;phone-context=(\+\d+)/i.exec(content)?.[1] ?? '';
	return (context + content.replace(/;(?:phone-context|isub)=[^;]*/gi, '')).trim();
}
