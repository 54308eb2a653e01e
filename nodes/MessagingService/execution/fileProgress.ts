import type { IDataObject } from 'n8n-workflow';
import type { Sent } from './rows';

/** First and last row. */
type Range = [first: number, last: number];

/** Ranges that a text lists. */
const MOST_LISTED = 20;

/** Which rows of a file were sent: its campaigns go out one at a time, in order. */
export class FileProgress {
	/** Whether the file was read to its end. */
	isComplete = false;
	/** Whether these are all campaigns of the file that this and earlier tries have sent. */
	isWholeStory = true;
	private readonly campaigns: { rows: Range; sent: Sent }[] = [];

	/** Notes the next campaign, and the rows of the file that it was made from. */
	add(firstRow: number, lastRow: number, sent: Sent): void {
		this.campaigns.push({ rows: [firstRow, lastRow], sent });
	}

	/** Whether it is certain that nothing was sent. */
	get isUntouched(): boolean {
		return this.campaigns.every(({ sent }) => sent === 'no');
	}

	/** What became of a complete file as a whole. */
	get sent(): Sent {
		return this.isUntouched ? 'no' : 'yes';
	}

	/** The rows by state, as fields of an output item; none where nothing was sent. */
	fields(): IDataObject {
		if (this.isUntouched) return {};
		const named = Object.entries({
			sentRows: textOf(this.rowsThat('yes')),
			possiblySentRows: textOf(this.rowsThat('possibly')),
		}).filter(([, text]) => text !== '');
		const next = this.nextRow;
		return {
			...Object.fromEntries(named),
			...(next === undefined ? {} : { continueAtRow: next }),
		};
	}

	/** The rows in words, and how to continue; empty where nothing was sent. */
	report(): string {
		if (this.isUntouched) return '';
		const line = (label: string, ranges: readonly Range[], advice = '') =>
			ranges.length === 0
				? []
				: [`${label}: ${wordFor(ranges)} ${textOf(ranges, MOST_LISTED)} of the file.${advice}`];
		const next = this.nextRow;
		return [
			...line('Sent', this.rowsThat('yes')),
			...line(
				'Possibly sent',
				this.rowsThat('possibly'),
				' Check in the service before you send them again.',
			),
			...(next === undefined
				? []
				: [
						`To continue in a new execution, set Start at Row in File Options to ${next}, and send only this file.`,
					]),
		].join(' ');
	}

	/** The row after the last that was sent, or possibly sent, where none was sent from there on. */
	private get nextRow(): number | undefined {
		if (this.isComplete || !this.isWholeStory) return undefined;
		const last = this.campaigns.filter(({ sent }) => sent !== 'no').at(-1);
		return last === undefined ? undefined : last.rows[1] + 1;
	}

	private rowsThat(wanted: Sent): Range[] {
		const ranges: Range[] = [];
		for (const { rows, sent } of this.campaigns) {
			const last = ranges.at(-1);
			if (sent !== wanted) continue;
			if (last !== undefined && rows[0] === last[1] + 1) last[1] = rows[1];
			else ranges.push([...rows]);
		}
		return ranges;
	}
}

function wordFor([[first, last] = [0, 0], ...others]: readonly Range[]): string {
	return first === last && others.length === 0 ? 'row' : 'rows';
}

function textOf(ranges: readonly Range[], most = ranges.length): string {
	const named = ranges
		.slice(0, most)
		.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
	return [...named, ...(ranges.length > most ? ['...'] : [])].join(', ');
}
