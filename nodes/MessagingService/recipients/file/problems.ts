import type { IDataObject } from 'n8n-workflow';
import {
	clauseOf,
	listed,
	MOST_LISTED,
	type Complaint,
	type Reason,
	type ReasonCode,
} from '../../reason';
import type { FileRow } from './rows';

/** Columns of the problems file before those of the row. */
const OURS = ['line of the file', 'why not sent'];
/** Whose rows are not in the problems file: their people have the message, or must not get it. */
const NOTHING_TO_FIX: readonly ReasonCode[] = ['duplicate', 'doNotContact'];
/** What is kept as text before it becomes bytes, which take less memory. */
const PART_CHARACTERS = 16 * 1024;

/**
 * Collects what is wrong with the rows of a file: counts of all, the first of them, and those that can
 * be fixed as a CSV file with line, reason and the cells of the row, to be sent from there.
 */
export class Problems {
	/** By code, with the first complaint of each. */
	readonly reasons = new Map<string, { count: number; first: IDataObject }>();
	/** The first ones. */
	private readonly listed: IDataObject[] = [];
	total = 0;
	/** Of all. */
	first: Reason | undefined;
	private readonly wantsFile: boolean;
	private columns: readonly string[] = [];
	private text = '';
	/** How many cells a row of the text has: a later line of JSON Lines may add columns. */
	private width = 0;
	private readonly parts: { bytes: Buffer; width: number }[] = [];

	/** @param wantsFile whether the rows are kept, for the problems file */
	constructor(wantsFile: boolean) {
		this.wantsFile = wantsFile;
	}

	/** Notes what is wrong with a row; the complaint's place is the row's line. */
	add(complaint: Complaint, row: FileRow | undefined): void {
		this.total++;
		this.first ??= complaint;
		const { code } = complaint;
		const known = this.reasons.get(code);
		if (known !== undefined) known.count++;
		else this.reasons.set(code, { count: 1, first: described(complaint) });
		if (this.listed.length < MOST_LISTED) this.listed.push(described(complaint));
		if (this.wantsFile && row !== undefined && !NOTHING_TO_FIX.includes(code)) {
			this.write(complaint, row);
		}
	}

	/** The file of what can be fixed; undefined where there is nothing, or nobody wants it. */
	file(): Buffer | undefined {
		this.endPart();
		if (this.parts.length === 0) return undefined;
		const names = this.withoutOurs(this.columns);
		const header = Buffer.from(`\ufeff${csvLine([...OURS, ...names])}`);
		const parts = this.parts.map(({ bytes, width }) => withCells(bytes, names.length - width));
		return Buffer.concat([header, ...parts]);
	}

	/** For an output item: how many there are, and the first of them. */
	fields(): IDataObject {
		const { total, listed } = this;
		return total === 0 ? {} : { problemsCount: total, problems: listed };
	}

	private write(complaint: Complaint, { columns, values, cells }: FileRow): void {
		this.columns = columns;
		const width = this.withoutOurs(columns).length;
		if (width !== this.width) this.endPart();
		this.width = width;
		const texts = cells ?? columns.map((name) => cellOf(values[name]));
		this.text += csvLine([
			String(complaint.place),
			clauseOf(complaint),
			...this.withoutOurs(texts),
		]);
		if (this.text.length >= PART_CHARACTERS) this.endPart();
	}

	private endPart(): void {
		if (this.text === '') return;
		this.parts.push({ bytes: Buffer.from(this.text), width: this.width });
		this.text = '';
	}

	/** Of a problems file that is sent again, line and reason are those of the earlier run. */
	private withoutOurs(cells: readonly string[]): string[] {
		return cells.filter((_, index) => !OURS.includes(this.columns[index] ?? ''));
	}
}

function described(complaint: Complaint): IDataObject {
	const { place: line, phoneNumber } = complaint;
	return listed({ ...complaint, phoneNumber: copied(phoneNumber) }, { line });
}

/** A cell is a piece of the text around it, all of which would stay in memory with it. */
function copied(value: IDataObject[string]): IDataObject[string] {
	return typeof value === 'string' ? Buffer.from(value.slice(0, 200)).toString() : value;
}

/** A value of a JSON Lines file as a cell. */
function cellOf(value: IDataObject[string]): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a spreadsheet may run. A number with a + or - before it, such as most phone numbers, is none. */
const FORMULA = /^(?:[=@\t\r\n]|[+-](?![\d ().,/-]*$))/;

/** A line of CSV, in which a spreadsheet runs no formula. */
function csvLine(cells: readonly string[]): string {
	const quoted = cells
		.map((cell) => (FORMULA.test(cell.normalize('NFKC')) ? `'${cell}` : cell))
		.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
	return `${quoted.join(',')}\n`;
}

/** Lines of CSV with so many more cells, which are empty. */
function withCells(lines: Buffer, more: number): Buffer {
	if (more === 0) return lines;
	const end = `${','.repeat(more)}\n`;
	const text = lines.toString().replace(/"[^"]*"|\n/g, (part) => (part === '\n' ? end : part));
	return Buffer.from(text);
}
