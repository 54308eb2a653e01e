import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { Complaint } from '../reason';

/** Whether the service has accepted what an input row stands for. */
export type Sent = 'yes' | 'no' | 'possibly';

/** Why a row failed, for its error item and for the error that stops the node. */
export interface RowFailure {
	/** What was thrown; undefined for a recipient that is left out on purpose: the node goes on. */
	cause: unknown;
	message: string;
	description: string;
	httpStatus?: number | undefined;
	/** Display name of the n8n field that is wrong. */
	field?: string | undefined;
	/** More fields of the error item. */
	fields: IDataObject;
	/** An earlier try of the execution failed, not this one: it does not stop the other rows. */
	isEarlier?: boolean;
}

/** What a request came to, or a read. */
export interface Result {
	sent: Sent;
	/** Output items of the success branch. */
	records?: IDataObject[] | undefined;
	failure?: RowFailure;
	/** Why its one recipient was left out. */
	leftOut?: Complaint;
	/** Files of the first item. */
	binary?: IBinaryKeyData;
	/** Which rows of a file were sent, in words, and whether any are left to send. */
	progress?: { text: string; isOpen: boolean };
}

/** What an input row came to. */
export interface Outcome extends Result {
	/** The input rows that share it, in ascending order: all recipients of a campaign, for example. */
	rows: readonly number[];
}

/** What became of each input row: one outcome, written once. */
export class Rows {
	readonly total: number;
	/** All rows. */
	readonly all: readonly number[];
	private readonly outcomes: (Outcome | undefined)[];

	constructor(total: number) {
		this.total = total;
		this.all = Array.from({ length: total }, (_, row) => row);
		this.outcomes = new Array<Outcome | undefined>(total);
	}

	set(rows: readonly number[], result: Result): void {
		const outcome: Outcome = { ...result, rows };
		for (const row of rows) this.outcomes[row] ??= outcome;
	}

	/** Undefined until it is set. */
	of(row: number): Outcome | undefined {
		return this.outcomes[row];
	}

	/** The rows of one state. */
	that(sent: Sent): number[] {
		return this.all.filter((row) => (this.outcomes[row]?.sent ?? 'no') === sent);
	}

	/** The outcomes, each once, in the order of their first rows. */
	*each(): Generator<Outcome> {
		for (let row = 0; row < this.total; row++) {
			const outcome = this.outcomes[row];
			if (outcome?.rows[0] === row) yield outcome;
		}
	}

	/** The first failure and its row: one of this try, if there is any. */
	firstFailure(): { failure: RowFailure; row: number } | undefined {
		let earlier: { failure: RowFailure; row: number } | undefined;
		for (const { failure, rows } of this.each()) {
			if (failure?.cause === undefined) continue;
			const found = { failure, row: rows[0] ?? 0 };
			if (failure.isEarlier !== true) return found;
			earlier ??= found;
		}
		return earlier;
	}
}
