import type { IDataObject } from 'n8n-workflow';

/** What a campaign of a file came to. */
export interface FileCampaign {
	part: number;
	/** Rows of the file, from 1. */
	firstRow: number;
	lastRow: number;
	state: 'sent' | 'possiblySent' | 'notSent';
}

type Range = [number, number];

/** Ranges that a text lists. */
const MOST_LISTED = 20;

/** Which rows of a file were sent. */
export class FileProgress {
	private readonly campaigns = new Map<number, FileCampaign>();

	/** Notes a campaign that was started; a later state replaces an earlier one. */
	note(campaign: FileCampaign): void {
		this.campaigns.set(campaign.part, campaign);
	}

	/** How many campaigns were sent, or may have been. */
	count(state: FileCampaign['state']): number {
		return [...this.campaigns.values()].filter((each) => each.state === state).length;
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
		const named = Object.entries({
			sentRows: this.ranges('sent'),
			possiblySentRows: this.ranges('possiblySent'),
			notSentRows: this.ranges('notSent'),
		}).filter(([, ranges]) => ranges.length > 0);
		return {
			...Object.fromEntries(named.map(([name, ranges]) => [name, textOf(ranges)])),
			continueAtRow: this.next,
		};
	}

	/** The rows in words; empty where nothing was sent. */
	describe(): string {
		if (this.isUntouched) return '';
		const line = (label: string, ranges: readonly Range[], advice = '') =>
			ranges.length === 0 ? [] : [`${label}: rows ${textOf(ranges)} of the file.${advice}`];
		const notSent = this.ranges('notSent');
		return [
			...line('Sent', this.ranges('sent')),
			...line(
				'Possibly sent',
				this.ranges('possiblySent'),
				' Check in the service before you send them again.',
			),
			`Not sent: rows ${[...notSent.map(nameOf), `${this.next} and later`].join(', ')}.`,
			`To continue in a new execution, set Start at Row in File Options to ${this.next}.${notSent.length === 0 ? '' : ' For the rows before that, use Start at Row and End at Row.'}`,
		].join(' ');
	}

	/** The first row that no campaign was started for. */
	private get next(): number {
		return Math.max(0, ...[...this.campaigns.values()].map(({ lastRow }) => lastRow)) + 1;
	}

	private ranges(state: FileCampaign['state']): Range[] {
		const ranges: Range[] = [];
		const campaigns = [...this.campaigns.values()].filter((each) => each.state === state);
		for (const { firstRow, lastRow } of campaigns.sort((a, b) => a.firstRow - b.firstRow)) {
			const last = ranges.at(-1);
			if (last !== undefined && firstRow <= last[1] + 1) last[1] = Math.max(last[1], lastRow);
			else ranges.push([firstRow, lastRow]);
		}
		return ranges;
	}
}

function nameOf([first, last]: Range): string {
	return first === last ? `${first}` : `${first} to ${last}`;
}

function textOf(ranges: readonly Range[]): string {
	const more = ranges.length > MOST_LISTED ? ', ...' : '';
	return `${ranges.slice(0, MOST_LISTED).map(nameOf).join(', ')}${more}`;
}
