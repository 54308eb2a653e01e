/** Delimiters that a file may have. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A delimiter of a file. */
export type Delimiter = (typeof DELIMITERS)[number];

/** The first line of a text, with line breaks in quoted cells. */
function headerOf(sample: string): string {
	let isQuoted = false;
	for (let at = 0; at < sample.length; at++) {
		if (sample[at] === '"') isQuoted = !isQuoted;
		else if (!isQuoted && (sample[at] === '\n' || sample[at] === '\r')) return sample.slice(0, at);
	}
	return sample;
}

/**
 * The delimiter of a file: the one that Excel names in a line before the header, or that is most
 * frequent in the header, outside quotes. A file with
 * one column has none: then a comma.
 */
export function detectDelimiter(sample: string): Delimiter {
	const [, named] = /^"?sep=([,;\t|])"?[\r\n]/i.exec(sample) ?? [];
	if (named !== undefined) return named as Delimiter;
	const header = headerOf(sample.replace(/^[\r\n]+/, '')).replace(/"(?:[^"]|"")*"/g, '');
	let best: Delimiter = ',';
	let most = 0;
	for (const delimiter of DELIMITERS) {
		const count = header.split(delimiter).length - 1;
		if (count > most) {
			best = delimiter;
			most = count;
		}
	}
	return best;
}
