/** Rows in a text such as "1 to 3, 5", of a file with so many. */
export function rowsNamed(text: unknown, rows: number): number[] {
	return String((text as string | undefined) ?? '')
		.split(', ')
		.filter(Boolean)
		.flatMap((range) => {
			const [from = 0, to = from] = range.split(' to ').map(Number);
			return Array.from({ length: Math.min(to, rows) - from + 1 }, (_, step) => from + step);
		});
}
