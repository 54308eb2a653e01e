import { attempt, isError, maxBy } from 'lodash';

/** Encodings that a file may have, by their labels for a TextDecoder. */
export type Encoding =
	| 'utf-8'
	| 'utf-16le'
	| 'utf-16be'
	| 'windows-1252'
	| 'windows-1250'
	| 'windows-1251'
	| 'iso-8859-2'
	| 'macintosh'
	| 'shift_jis';

/** How a file is decoded. */
export interface FoundEncoding {
	encoding: Encoding;
	/** Where the encoding is only likely: the first word that depends on it. */
	guessedFrom?: string;
}

/** The encoding that a byte order mark tells; undefined without one. */
export function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	if (first === 0xfe && second === 0xff) return 'utf-16be';
	return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** Decides by byte order mark and content. @param start of the file: it may end within a character */
export function detectEncoding(start: Uint8Array): FoundEncoding {
	const encoding = markedEncoding(start);
	if (encoding !== undefined) return { encoding };
	const asUtf8 = (fatal: boolean) =>
		new TextDecoder('utf-8', { fatal }).decode(start, { stream: true });
	// Characters that were damaged before, as U+FFFD, are valid.
	if (!isError(attempt(asUtf8, true))) return { encoding: 'utf-8' };
	const text = asUtf8(false);
	const damaged = text.match(/\ufffd/g)?.length ?? 0;
	const valid = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
	// Other encodings hardly ever have a sequence that is valid UTF-8.
	if (damaged <= valid) return { encoding: 'utf-8' };
	return guess(start);
}

/** Letters beside those of ASCII, in the languages that an encoding is used for. */
const WESTERN = [
	...['äöüß', 'àâæçéèêëîïôœùûüÿ', 'áéíóúüñ', 'ãõáâàéêíóôúç', 'àèéìòù', 'æøåé', 'åäöé', 'ëïéèöü'],
	'áðéíóúýþæö',
];
const CENTRAL = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžľĺŕôä', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'];
/** Of equals, the first is the most frequent one. */
const LANGUAGES: readonly (readonly [Encoding, readonly string[]])[] = [
	['windows-1252', WESTERN],
	['windows-1250', CENTRAL],
	['windows-1251', ['\u0451-\u045fа-яґ']],
	['iso-8859-2', CENTRAL],
	['macintosh', WESTERN],
	['shift_jis', ['\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー々、。　']],
];

/** Of a character that the language does not have, or not in this place. */
const WRONG = -2;
/** Of a letter of another language of the same encoding: some people have names from elsewhere. */
const FOREIGN = 0.9;
/** As many tell; of a Russian file, 64 kB have 50,000. */
const MOST_SIGNS = 1000;
/** Signs that say nothing about a language. */
const NEUTRAL = /[‘’“”„–—…€£°§·´«»¿¡ªº\u00a0]/;

/** The encoding whose text looks most like one of its languages. */
function guess(start: Uint8Array): FoundEncoding {
	const guesses = LANGUAGES.flatMap(([encoding, languages]) => {
		const decoder = new TextDecoder(encoding, { fatal: true });
		const text = attempt(() => decoder.decode(start, { stream: true }));
		if (isError(text)) return [];
		const scores = languages.map((letters) => likeness(text, letters, 1));
		const score = Math.max(...scores, likeness(text, languages.join(''), FOREIGN));
		const [guessedFrom = ''] = /[\p{L}\p{M}]*[^\0-\x7f][\p{L}\p{M}]*/u.exec(text) ?? [];
		return [{ encoding, guessedFrom, score }];
	});
	const { encoding, guessedFrom } = maxBy(guesses, 'score') ?? { encoding: 'windows-1252' };
	return { encoding, guessedFrom };
}

/** How much a text looks like one of a language with these letters. @param point for each of them */
function likeness(text: string, letters: string, point: number): number {
	const letter = new RegExp(`[${letters}]`, 'iu');
	let score = 0;
	let seen = 0;
	for (const [sign, before = '', after = ''] of text.matchAll(SIGN)) {
		if (++seen > MOST_SIGNS) break;
		if (NEUTRAL.test(sign)) continue;
		const isMixed = !/\p{sc=Latin}/u.test(sign) && /[a-z]/i.test(before + after);
		const isCapital = /\p{Lu}/u.test(sign) && /\p{Ll}/u.test(before);
		score += letter.test(sign) && !isMixed && !isCapital ? point : WRONG;
	}
	return score;
}

/** A character that is not ASCII, with those beside it. */
const SIGN = /(?<=(.?))[^\0-\x7f](?=(.?))/gsu;
