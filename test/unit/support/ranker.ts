/**
 * Ranks texts by a query: BM25 over word stems, as search engines do. No model, no synonyms, no
 * randomness: a text is found only by the words that it has.
 */
const K = 1.2;
const B = 0.75;

const stopWords = new Set(
	'a an and are as at be by did do does for from has have how i in is it its me my of on one or our so that the them there this to under was we were what which who with'.split(
		' ',
	),
);

/** The word without its usual English endings: enough for "campaigns", "stored", "calling". */
function stem(word: string): string {
	const singular = word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
	const base = singular.replace(/(?<=[a-z]{3})(ing|ed)$/, '');
	return base.replace(/(?<=[a-z]{3})e$/, '').replace(/([b-df-hj-km-np-rtvz])\1$/, '$1');
}

/**
 * The stems of a text, in order, without the words that say nothing. A plural counts as a word of
 * its own as well: "campaigns" asks for a list, "campaign" for one.
 */
export function stems(text: string): string[] {
	return (text.toLowerCase().match(/[a-z]+/g) ?? [])
		.filter((word) => !stopWords.has(word))
		.flatMap((word) => (/[^s]s$/.test(word) ? [stem(word), word] : [stem(word)]));
}

/** A text to be found, with the title, whose words weigh more. */
export interface Candidate {
	name: string;
	title: string;
	text: string;
}
/** How often a word of the title counts. */
const TITLE = 2;

/** The candidates' names, best first; those without any word of the query are left out. */
export function rank(query: string, candidates: readonly Candidate[]): string[] {
	const documents = candidates.map(({ name, title, text }) => ({
		name,
		words: [...Array.from({ length: TITLE }, () => stems(title)).flat(), ...stems(text)],
	}));
	const average =
		documents.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, documents.length);
	const scoreOf = (words: readonly string[]) =>
		[...new Set(stems(query))].reduce((score, word) => {
			const having = documents.filter((document) => document.words.includes(word)).length;
			const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
			const count = words.filter((candidate) => candidate === word).length;
			const length = 1 - B + (B * words.length) / average;
			return score + (rarity * count * (K + 1)) / (count + K * length);
		}, 0);
	return documents
		.map(({ name, words }) => ({ name, score: scoreOf(words) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
		.map(({ name }) => name);
}
