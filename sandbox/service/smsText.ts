import { isRefusedSms } from './magicNumbers.ts';

const basic =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '^{}\\[~]|€\f';
const widths = new Map<string, number>([
	...[...basic].map((character): [string, number] => [character, 1]),
	...[...extended].map((character): [string, number] => [character, 2]),
]);

/** How much fits into a message of one part, and into each part of a longer one. */
const gsm7 = { single: 160, part: 153 };
const ucs2 = { single: 70, part: 67 };

/**
 * How many SMS parts a text takes: GSM 7-bit where all its characters allow that, UCS-2 otherwise. A character that
 * takes two units (an escape pair, a surrogate pair) never stands in two parts.
 */
export const partsOf = (message: string): number => {
	const characters = [...message];
	const isBasic = characters.every((character) => widths.has(character));
	const { single, part } = isBasic ? gsm7 : ucs2;
	let total = 0;
	let parts = 1;
	let used = 0;
	for (const character of characters) {
		const width = isBasic ? (widths.get(character) ?? 1) : character.length;
		total += width;
		if (used + width > part) {
			parts += 1;
			used = 0;
		}
		used += width;
	}
	return total <= single ? 1 : parts;
};

/** What a message costs: 0.04 for each part, unless the service itself refused it. */
export const smsPriceOf = (parts: number, statusCode: number): number =>
	isRefusedSms(statusCode) ? 0 : Math.round(parts * 4) / 100;
