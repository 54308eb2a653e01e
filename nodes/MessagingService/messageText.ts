import { round } from 'lodash';

/** How a text travels as SMS: its alphabet, its length in that alphabet's units, its parts. */
interface MessageLength {
	encoding: 'GSM-7' | 'UCS-2';
	/** Septets of GSM-7, where characters of the extension table take two; 16-bit units of UCS-2. */
	units: number;
	parts: number;
}

/** GSM 03.38, basic table. */
const BASIC = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** GSM 03.38, extension table: an escape and a character. */
const EXTENDED = new Set('\f^{}\\[~]|€');

const LIMITS = {
	'GSM-7': { single: 160, concatenated: 153 },
	'UCS-2': { single: 70, concatenated: 67 },
} as const;

/** Whether a text has only characters of GSM-7. */
export function isGsmText(text: string): boolean {
	for (const character of text) {
		if (!BASIC.has(character) && !EXTENDED.has(character)) return false;
	}
	return true;
}

/**
 * Counts the parts of a text. No character is split over two parts.
 * @param isGsm whether it travels as GSM-7, where the text itself does not decide
 */
export function measure(text: string, isGsm = isGsmText(text)): MessageLength {
	const characters = [...text];
	const encoding = isGsm ? 'GSM-7' : 'UCS-2';
	const sizes = characters.map((character) =>
		isGsm ? (EXTENDED.has(character) ? 2 : 1) : character.length,
	);
	const units = sizes.reduce((sum, size) => sum + size, 0);
	const { single, concatenated } = LIMITS[encoding];
	if (units <= single) return { encoding, units, parts: units === 0 ? 0 : 1 };
	let parts = 1;
	let filled = 0;
	for (const size of sizes) {
		if (filled + size > concatenated) {
			parts++;
			filled = 0;
		}
		filled += size;
	}
	return { encoding, units, parts };
}

/** More decimals come from the arithmetic of the computer. */
const DECIMALS = 6;

/** What the credential says of costs. */
export interface Price {
	pricePerPart?: number | undefined;
	currency?: string | undefined;
}

/** Columns of an output; none where the credential has no price. */
export interface EstimatedCost {
	estimatedCost?: number;
	/** Of the price in the credential. */
	currency?: string;
	estimatedCostIsMinimum?: boolean;
}

/**
 * What a message costs by the price in the credential, for the output.
 * @param recipients of a campaign: its parts are those of the text as it is written, which placeholders
 * and an opt-out link only make longer
 */
export function estimatedCost(
	{ pricePerPart, currency }: Price,
	message: string,
	recipients?: number,
): EstimatedCost {
	if (pricePerPart === undefined) return {};
	const cost = round(pricePerPart * measure(message).parts * (recipients ?? 1), DECIMALS);
	const isMinimum = recipients === undefined ? {} : { estimatedCostIsMinimum: true };
	return { estimatedCost: cost, ...(currency === undefined ? {} : { currency }), ...isMinimum };
}

/** The option that replaces them. */
export const REPLACE_CHARACTERS = 'Replace Costly Characters';

/** The characters because of which a text takes more parts than it would in GSM-7. */
export interface CostlyCharacters {
	characters: string[];
	parts: number;
	/** Parts with a character of GSM-7 in the place of each. */
	partsWithout: number;
	/** Whether plain forms of them would make the text shorter. */
	isReplaceable: boolean;
}

/** Why a text takes more parts than it need; undefined where it does not. */
export function costlyCharacters(text: string): CostlyCharacters | undefined {
	if (isGsmText(text)) return undefined;
	const all = [...text];
	const { parts } = measure(text, false);
	const partsWithout = measure(all.map((each) => (isGsmText(each) ? each : '?')).join('')).parts;
	if (parts <= partsWithout) return undefined;
	const characters = [...new Set(all.filter((each) => !isGsmText(each)))];
	return { characters, parts, partsWithout, isReplaceable: withPlainCharacters(text) !== text };
}

/** What word processors write, and its plain form. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
	[/[‘’‚‛′´`ʼ]/g, "'"],
	[/[“”„‟″«»]/g, '"'],
	[/[‐‑‒–—―−]/g, '-'],
	[/…/g, '...'],
	[/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
	[/[\u00ad\u200b\u2060\ufeff]/g, ''],
	[/[•·]/g, '-'],
];

/** Marks of direction, and signs that join letters: among letters of GSM-7, they do nothing. */
const MARKS = /[\p{Cf}\p{Variation_Selector}]/gu;

/** The text with plain characters, if that takes fewer parts; otherwise as it is. */
export function withPlainCharacters(text: string): string {
	// A letter and its accent as one character: GSM-7 has many of those.
	const composed = text.normalize('NFC');
	const replaced = PLAIN.reduce((result, [costly, form]) => result.replace(costly, form), composed);
	const unmarked = replaced.replace(MARKS, '');
	const plain = isGsmText(unmarked) ? unmarked : replaced;
	return measure(plain).parts < measure(text).parts ? plain : text;
}
