import { listRanges } from '../resources/shared/ranges';

/** Input items by state: positions in ascending order. */
export interface RowsByState {
	/** Every request that stands for the row was accepted. */
	sent: number[];
	possiblySent: number[];
	/** Some of the requests that stand for the row were accepted; the others were not sent. */
	partlySent: number[];
	notSent: number[];
}

/** Counts the requests of a run that were sent, by the input items (rows) that they stand for. */
export class Progress {
	readonly total: number;
	private readonly accepted: Uint32Array;
	private readonly open: Uint32Array;
	/** Rows that more than one request stands for: how many. */
	private readonly requests = new Map<number, number>();

	constructor(total: number) {
		this.total = total;
		this.accepted = new Uint32Array(total);
		this.open = new Uint32Array(total);
	}

	/** Several requests stand for these rows, not one. */
	expect(rows: readonly number[], requests: number): void {
		for (const row of rows) this.requests.set(row, requests);
	}

	/** A request that stands for these rows is in progress, or its outcome is unknown. */
	possiblySent(rows: readonly number[]): void {
		for (const row of rows) this.open[row] = (this.open[row] ?? 0) + 1;
	}

	/** A request that was in progress was accepted. */
	sent(rows: readonly number[]): void {
		this.notSent(rows);
		for (const row of rows) this.accepted[row] = (this.accepted[row] ?? 0) + 1;
	}

	/** A request that was in progress was certainly not accepted. */
	notSent(rows: readonly number[]): void {
		for (const row of rows) this.open[row] = Math.max(0, (this.open[row] ?? 0) - 1);
	}

	rows(): RowsByState {
		const rows: RowsByState = { sent: [], possiblySent: [], partlySent: [], notSent: [] };
		for (let row = 0; row < this.total; row++) {
			const accepted = this.accepted[row] ?? 0;
			if ((this.open[row] ?? 0) > 0) rows.possiblySent.push(row);
			else if (accepted === 0) rows.notSent.push(row);
			else if (accepted < (this.requests.get(row) ?? 1)) rows.partlySent.push(row);
			else rows.sent.push(row);
		}
		return rows;
	}
}

/**
 * The rows in words: "Sent: items 0 to 3 (4 in total). Not sent: item 4."
 * @param isRetry whether other retries of the execution may have sent some of them
 */
export function describeRows(
	{ sent, possiblySent, partlySent, notSent }: RowsByState,
	isRetry = false,
): string {
	const line = (label: string, rows: readonly number[], advice = '') => {
		if (rows.length === 0) return '';
		const names =
			rows.length === 1
				? `item ${String(rows[0])}`
				: `items ${listRanges(rows)} (${rows.length} in total)`;
		return `${label}: ${names}.${advice}`;
	};
	return [
		line('Sent', sent),
		line('Possibly sent', possiblySent, ' Check in the service before you send them again.'),
		line('Partly sent', partlySent),
		line(isRetry ? 'Not sent by this retry' : 'Not sent', notSent),
	]
		.filter(Boolean)
		.join(' ');
}
