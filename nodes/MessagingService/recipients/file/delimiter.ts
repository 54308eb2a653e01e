/** Delimiters that a file may have. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A delimiter of a file. */
export type Delimiter = (typeof DELIMITERS)[number];

const QUOTED_CELL = /"(?:[^"]|"")*"/g;

/**
 * The delimiter of a file: the one that Excel names in a line before the header, or that is most
 * frequent in the header, outside quotes. A file with one column has none: then a comma.
 */
export function detectDelimiter(sample: string): Delimiter {
	const [, named] = /^"?sep=([,;\t|])"?[\r\n]/i.exec(sample) ?? [];
	if (named !== undefined) return named as Delimiter;
	const [header = ''] = sample
		.replace(/^[\r\n]+/, '')
		.replace(QUOTED_CELL, '')
		.split(/[\r\n]/, 1);
	const countOf = (delimiter: Delimiter) => header.split(delimiter).length;
	return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}
