import type { SentRecord } from '../transport/sentRecord';

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

/** The user stopped the execution, or it ran out of time: says what had been sent by then. */
export class ExecutionCancelled extends Error {
	readonly description: string;

	constructor(sent: SentRecord, total: number) {
		const { accepted, uncertain } = sent.outcomes();
		const done = accepted.length + uncertain.length;
		// n8n tells a cancelled execution from a failed one by this spelling of the word.
		super(
			done === 0
				? 'The execution was canceled before anything was sent'
				: `The execution was canceled when ${accepted.length} of ${total} had been sent`,
		);
		this.name = 'ExecutionCancelled';
		this.description = [
			accepted.length === 0 ? '' : `Accepted by the service: items ${listRanges(accepted)}.`,
			uncertain.length === 0
				? ''
				: `Under way just then, so perhaps accepted (check in the service): items ${listRanges(uncertain)}.`,
			'Nothing was sent for the others.',
		]
			.filter(Boolean)
			.join(' ');
	}
}
