import type { IDataObject } from 'n8n-workflow';
import type { Complaint } from '../checks';
import type { FileRow } from './rows';

/** Problems that the output lists one by one. */
const MOST_LISTED = 1000;
/** What is collected before it is given to n8n, in characters. */
const PART_CHARACTERS = 4_000_000;

/** Columns of the problems file before those of the row. */
const OURS = ['line', 'reason'];

/** Stores a part of the problems file with n8n. */
export type StoreFile = (content: Buffer, name: string) => Promise<void>;

/** Collects what is wrong with the rows of a file: counts of all, and the first of them. */
export class Problems {
	/** By code, with the first complaint of each. */
	readonly reasons = new Map<string, { count: number; first: IDataObject }>();
	/** The first ones. */
	readonly listed: IDataObject[] = [];
	total = 0;
	/** How many of them the user wants to stop the run. */
	stopping = 0;
	firstStopping: Complaint | undefined;
	private readonly file: ProblemsFile | undefined;

	/** @param store keeps the file of all problems; without it, there is none */
	constructor(store: StoreFile | undefined) {
		this.file = store === undefined ? undefined : new ProblemsFile(store);
	}

	/** Notes what is wrong with a row; the complaint's index is the row's line. */
	add(complaint: Complaint, row: FileRow | undefined): void {
		this.total++;
		const { code } = complaint;
		const known = this.reasons.get(code);
		if (known !== undefined) known.count++;
		else this.reasons.set(code, { count: 1, first: described(complaint) });
		if (this.listed.length < MOST_LISTED) this.listed.push(described(complaint));
		this.file?.add(complaint, row);
	}

	/** Notes that the user wants nothing to be sent because of a problem. */
	stop(complaint: Complaint): void {
		this.stopping++;
		this.firstStopping ??= complaint;
	}

	/** Gives to n8n what has been collected, where it is much. */
	async flush(isLast = false): Promise<void> {
		await this.file?.flush(isLast);
	}
}

function described(complaint: Complaint): IDataObject {
	const { itemIndex: line, phoneNumber, reason, advice, nextAllowedTime } = complaint;
	return {
		line,
		phoneNumber: copied(phoneNumber),
		reason,
		...(advice === undefined ? {} : { advice }),
		...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
	};
}

/** A cell is a piece of the text around it, all of which would stay in memory with it. */
function copied(value: IDataObject[string]): IDataObject[string] {
	return typeof value === 'string' ? Buffer.from(value.slice(0, 200)).toString() : value;
}

/**
 * All problems as a file: line and reason, then the row as it was, so that it can be fixed and sent
 * from there. Of a JSON Lines file, it is one too. A long one is stored in parts.
 */
class ProblemsFile {
	private readonly store: StoreFile;
	private text = '';
	private parts = 0;
	private extension = 'csv';
	private header = '';

	constructor(store: StoreFile) {
		this.store = store;
	}

	add({ itemIndex: line, reason }: Complaint, row: FileRow | undefined): void {
		if (row?.record === undefined) {
			if (row !== undefined) this.extension = 'jsonl';
			this.text += `${JSON.stringify({ ...row?.values, line, reason })}\n`;
			return;
		}
		const { columns, cells } = withoutOurs(row.record);
		this.header = csvLine([...OURS, ...columns]);
		this.text += csvLine([String(line), reason, ...cells]);
	}

	async flush(isLast: boolean): Promise<void> {
		if (this.text === '' || (this.text.length < PART_CHARACTERS && !isLast)) return;
		const content = Buffer.from(this.header + this.text);
		this.text = '';
		this.parts++;
		const number = this.parts === 1 ? '' : `-${this.parts}`;
		await this.store(content, `problems${number}.${this.extension}`);
	}
}

/** A row of a problems file that was sent again: its line and reason are those of the earlier run. */
function withoutOurs({ columns, cells }: NonNullable<FileRow['record']>) {
	const isOurs = (index: number) => OURS.includes(columns[index] ?? '');
	return {
		columns: columns.filter((_, index) => !isOurs(index)),
		cells: cells.filter((_, index) => !isOurs(index)),
	};
}

function csvLine(cells: readonly string[]): string {
	const quoted = cells.map((cell) =>
		/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
	);
	return `${quoted.join(',')}\n`;
}
