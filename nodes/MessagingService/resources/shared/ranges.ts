const MOST_RANGES = 20;

/** Positions in ascending order as "0 to 41, 43": the first ranges, should there be many. */
export function listRanges(indexes: readonly number[]): string {
	const ranges: { from: number; to: number }[] = [];
	for (const index of [...indexes].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last !== undefined && index <= last.to + 1) last.to = index;
		else ranges.push({ from: index, to: index });
	}
	const shown = ranges
		.slice(0, MOST_RANGES)
		.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
	return [...shown, ...(ranges.length > MOST_RANGES ? ['...'] : [])].join(', ');
}
