/** Rows in a text such as "1 to 3, 5". */
export function rowsNamed(text: unknown): number[] {
	return String((text as string | undefined) ?? '')
		.split(', ')
		.filter(Boolean)
		.flatMap((range) => {
			const [from = 0, to = from] = range.split(' to ').map(Number);
			return Array.from({ length: to - from + 1 }, (_, step) => from + step);
		});
}
