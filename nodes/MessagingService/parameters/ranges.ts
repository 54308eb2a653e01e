const MAX_RANGES = 20;
const MAX_LISTED = 5;

/** Positions from the first to the last, both included. */
export interface Range {
	from: number;
	to: number;
}

/** Ranges in ascending order as "0 to 41, 43". */
export function rangesInWords(ranges: readonly Range[], most = Infinity): string {
	const joined: Range[] = [];
	for (const { from, to } of ranges) {
		const last = joined.at(-1);
		if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
		else joined.push({ from, to });
	}
	const shown = joined
		.slice(0, most)
		.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
	return [...shown, ...(joined.length > most ? ['...'] : [])].join(', ');
}

/** Positions in ascending order as ranges: the first ones, should there be many. */
export function listRanges(indexes: readonly number[]): string {
	return rangesInWords(
		indexes.map((index) => ({ from: index, to: index })),
		MAX_RANGES,
	);
}

/** "item 3", "items 3, 17 and 230" or "items 3, 17, 230, 231, 232 and 995 more". */
export function listItems(indexes: readonly number[]): string {
	if (indexes.length === 1) return `item ${indexes[0]}`;
	const listed = indexes.slice(0, MAX_LISTED);
	const rest = indexes.length - listed.length;
	return rest > 0
		? `items ${listed.join(', ')} and ${rest} more`
		: `items ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}

/** "row 3", "rows 3 to 5"; empty without numbers. */
export function numbersInWords(one: string, several: string, numbers = ''): string {
	if (numbers === '') return '';
	return `${/\D/.test(numbers) ? several : one} ${numbers}`;
}
