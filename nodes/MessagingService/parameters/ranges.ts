const MAX_RANGES = 20;
const MAX_LISTED = 5;

/** Positions in ascending order as "0 to 41, 43": the first ranges, should there be many. */
export function listRanges(indexes: readonly number[], most = MAX_RANGES): string {
	const ranges: { from: number; to: number }[] = [];
	for (const index of [...indexes].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last !== undefined && index <= last.to + 1) last.to = index;
		else ranges.push({ from: index, to: index });
	}
	const shown = ranges
		.slice(0, most)
		.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
	return [...shown, ...(ranges.length > most ? ['...'] : [])].join(', ');
}

/** "item 3", "items 3, 17 and 230" or "items 3, 17, 230, 231, 232 and 995 more". */
export function listItems(indexes: readonly number[], singular = 'item', plural = 'items'): string {
	if (indexes.length === 1) return `${singular} ${indexes[0]}`;
	const listed = indexes.slice(0, MAX_LISTED);
	const rest = indexes.length - listed.length;
	return rest > 0
		? `${plural} ${listed.join(', ')} and ${rest} more`
		: `${plural} ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}
