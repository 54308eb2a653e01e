/** First and last row of each range in a text such as "1 to 3, 5, 7 and later". */
export function rangesNamed(text: unknown): [first: number, last: number | undefined][] {
	return String((text as string | undefined) ?? '')
		.split(', ')
		.filter(Boolean)
		.map((range) => {
			if (range.endsWith(' and later')) return [parseInt(range), undefined];
			const [from = 0, to = from] = range.split(' to ').map(Number);
			return [from, to];
		});
}

/** Rows in such a text, of a file with so many. */
export function rowsNamed(text: unknown, rows: number): number[] {
	return rangesNamed(text).flatMap(([from, to = rows]) =>
		Array.from({ length: to - from + 1 }, (_, step) => from + step),
	);
}
