import type { IDataObject } from 'n8n-workflow';

/** What a campaign of a file came to, or a row that was stored by itself. */
export interface FileCampaign {
	part: number;
	/** Rows of the file, from 1. */
	firstRow: number;
	lastRow: number;
	/** How many campaigns have recipients from these rows. */
	campaigns: number;
	state: 'sent' | 'possiblySent' | 'notSent';
}

/** `partlySent`: some of several campaigns of the rows were sent, the others were not. */
type RowState = FileCampaign['state'] | 'partlySent';

/** First and last row: infinite, where the file was not read to its end. */
type Range = [first: number, last: number];

/** Rows that follow each other, and their campaigns by their numbers. */
interface Block {
	firstRow: number;
	lastRow: number;
	campaigns: number;
	states: Map<number, FileCampaign['state']>;
}

/** Ranges that a text lists. */
const MOST_LISTED = 20;

/** Which rows of a file were sent. Rows without a campaign were not. */
export class FileProgress {
	private readonly blocks = new Map<number, Block>();
	private readonly firstRow: number;
	private readonly areStored: boolean;
	private readonly isRetry: boolean;
	private lastRow = Infinity;

	/**
	 * @param rows the first row that the user wants to send
	 * @param areStored they are stored one by one, so that a row may be sent again
	 * @param isRetry other retries of the execution may have sent what this one did not
	 */
	constructor({ startAtRow }: { startAtRow: number }, { areStored = false, isRetry = false } = {}) {
		this.firstRow = startAtRow;
		this.areStored = areStored;
		this.isRetry = isRetry;
	}

	/** The file was read to its end. */
	endAt(lastRow: number): void {
		this.lastRow = lastRow;
	}

	/** Notes a campaign that was started; a later state replaces an earlier one. */
	note({ part, firstRow, lastRow, campaigns, state }: FileCampaign): void {
		const states = this.blocks.get(firstRow)?.states ?? new Map<number, FileCampaign['state']>();
		this.blocks.set(firstRow, { firstRow, lastRow, campaigns, states: states.set(part, state) });
	}

	/** How many campaigns were sent, or may have been. */
	count(state: FileCampaign['state']): number {
		const states = [...this.blocks.values()].flatMap((block) => [...block.states.values()]);
		return states.filter((each) => each === state).length;
	}

	/** Whether it is certain that nothing was sent. */
	get isUntouched(): boolean {
		return this.count('sent') + this.count('possiblySent') === 0;
	}

	/** What became of the file as a whole. */
	get sent(): 'no' | 'possibly' | 'partly' {
		if (this.count('sent') > 0) return 'partly';
		return this.isUntouched ? 'no' : 'possibly';
	}

	/** The rows by state, as fields of an output item. */
	fields(): IDataObject {
		if (this.isUntouched) return {};
		const { notSent } = this;
		const named = Object.entries({
			sentRows: this.ranges('sent'),
			possiblySentRows: this.ranges('possiblySent'),
			partlySentRows: this.ranges('partlySent'),
			notSentRows: notSent,
		}).filter(([, ranges]) => ranges.length > 0);
		const next = this.nextOf(notSent);
		return {
			...Object.fromEntries(named.map(([name, ranges]) => [name, textOf(ranges)])),
			...(next === undefined ? {} : { continueAtRow: next }),
		};
	}

	/**
	 * The rows in words; empty where nothing was sent.
	 * @param isOnly whether no other input item has a file: the fields hold for all of them
	 */
	describe(isOnly = true): string {
		if (this.isUntouched) return '';
		const { notSent, areStored } = this;
		const line = (label: string, ranges: readonly Range[], advice = '') =>
			ranges.length === 0
				? []
				: [`${label}: rows ${textOf(ranges, MOST_LISTED)} of the file.${advice}`];
		const ofPossibly = areStored ? '' : ' Check in the service before you send them again.';
		return [
			...line(areStored ? 'Stored' : 'Sent', this.ranges('sent')),
			...line(`Possibly ${areStored ? 'stored' : 'sent'}`, this.ranges('possiblySent'), ofPossibly),
			...line(
				'Partly sent',
				this.ranges('partlySent'),
				' Their campaigns have several start times; only a retry of this execution can send the others.',
			),
			...line(
				`Not ${areStored ? 'stored' : 'sent'}${this.isRetry ? ' by this retry' : ''}`,
				notSent,
			),
			...this.advice(notSent, isOnly),
		].join(' ');
	}

	private advice(notSent: readonly Range[], isOnly: boolean): string[] {
		if (this.isRetry) {
			return notSent.length === 0
				? []
				: ['To continue, retry the execution again: it sends what no retry has sent.'];
		}
		const next = this.nextOf(notSent);
		if (next === undefined) return [];
		const execution = isOnly ? 'a new execution' : 'a new execution with only this item';
		const again = this.areStored ? ': storing a row again overwrites it' : '';
		return [`To continue in ${execution}, set Start at Row in File Options to ${next}${again}.`];
	}

	/**
	 * The row to continue at: nothing from it on was sent, and everything before it was. Rows that are
	 * stored may be sent again, so it is the first one that is not known to be stored.
	 */
	private nextOf(notSent: readonly Range[]): number | undefined {
		if (this.isRetry) return undefined;
		if (this.areStored) {
			const open = [...notSent, ...this.ranges('possiblySent')];
			return open.length === 0 ? undefined : Math.min(...open.map(([first]) => first));
		}
		const [first] = notSent;
		return first?.[1] === this.lastRow ? first[0] : undefined;
	}

	/** All rows that are between, before and after those that were sent, or may have been. */
	private get notSent(): Range[] {
		const ranges: Range[] = [];
		let next = this.firstRow;
		for (const { firstRow, lastRow } of this.blocksThat((state) => state !== 'notSent')) {
			if (firstRow > next) ranges.push([next, firstRow - 1]);
			next = lastRow + 1;
		}
		if (next <= this.lastRow) ranges.push([next, this.lastRow]);
		return ranges;
	}

	private ranges(wanted: RowState): Range[] {
		const ranges: Range[] = [];
		for (const { firstRow, lastRow } of this.blocksThat((state) => state === wanted)) {
			const last = ranges.at(-1);
			if (last !== undefined && firstRow === last[1] + 1) last[1] = lastRow;
			else ranges.push([firstRow, lastRow]);
		}
		return ranges;
	}

	private blocksThat(match: (state: RowState) => boolean): Block[] {
		const blocks = [...this.blocks.values()].filter((block) => match(stateOf(block)));
		return blocks.sort((a, b) => a.firstRow - b.firstRow);
	}
}

function stateOf({ campaigns, states }: Block): RowState {
	const all = [...states.values()];
	if (all.includes('possiblySent')) return 'possiblySent';
	const sent = all.filter((state) => state === 'sent').length;
	if (sent === 0) return 'notSent';
	return sent < campaigns ? 'partlySent' : 'sent';
}

function nameOf([first, last]: Range): string {
	if (last === Infinity) return `${first} and later`;
	return first === last ? `${first}` : `${first} to ${last}`;
}

function textOf(ranges: readonly Range[], most = ranges.length): string {
	const more = ranges.length > most ? ', ...' : '';
	return `${ranges.slice(0, most).map(nameOf).join(', ')}${more}`;
}
