import { isEmpty, sum } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../failure';
import { BLANK_ROW, type Complaint, type StartScreen } from '../../reason';
import { leftOutAs, RecipientChecks } from '../checks';
import { findColumns, firstNameOf, type ColumnChoice, type Columns } from '../sources';
import { COLUMN_ADVICE, isBlankRow, type FoundField } from '../../parameters/inputFields';
import { isNothing } from '../../parameters/values';
import type { OnProblem, RecipientOptions } from '../fields';
import type { RecipientKind } from '../kind';
import { nobodyLeft, refusedFor } from '../refused';
import type { FoundEncoding } from './encoding';
import { Problems } from './problems';
import { unreadable, readRows, type FileRow } from './rows';
import type { FileSource } from './source';

/** What the recipients of a file are made with. */
export interface FileRecipients {
	kind: RecipientKind;
	source: FileSource;
	options: RecipientOptions;
	choices: readonly ColumnChoice[];
	screen: StartScreen | undefined;
	/** Whether an earlier try has sent a row: then it is not sent, and its number is a duplicate. */
	isSent?(row: number): boolean;
}

/** How many rows were left out, and why. */
type LeftOut = Partial<Record<ReturnType<typeof leftOutAs>, number>>;

/** Rows that follow each other in the file, and the recipients that they became. */
export interface Block {
	/** Rows of the file, from 1. */
	firstRow: number;
	lastRow: number;
	/** The recipients of one campaign, and the row of each. Empty at the end of a file. */
	recipients: IDataObject[];
	rows: FileRow[];
	/** The row of each, from 1. */
	places: number[];
	leftOut: LeftOut;
}

/** Contacts per Campaign, where the user sets none. */
const PER_CAMPAIGN = 10_000;

/** More are no list of recipients. */
const MAX_COLUMNS = 1000;

/**
 * One pass over a file, and what it has found so far. It reads, checks and divides the rows, and
 * keeps only those of one block.
 */
export class FilePass {
	/** The columns that recipients are made from; undefined before the first row. */
	columns: Columns | undefined;
	/** How the file is decoded; undefined before it is read. */
	found: FoundEncoding | undefined;
	/** Rows of the file that were read. */
	rows = 0;
	/** Of all rows. */
	readonly leftOut: LeftOut = {};
	readonly problems: Problems;
	private readonly recipients: FileRecipients;
	private readonly checks: RecipientChecks;
	/** The block of the next rows. */
	private block: Block;
	/** The row that is being checked. */
	private row: FileRow | undefined;
	/** How many columns have been seen. */
	private columnCount = 0;
	/** How many rows the user wants to stop the run, and the first of them. */
	private stopping = 0;
	private firstStopping: Complaint | undefined;

	constructor(recipients: FileRecipients) {
		const { kind, source, options, screen } = recipients;
		this.recipients = recipients;
		this.problems = new Problems(source.wantsProblemsFile);
		this.block = emptyBlock(source.startAtRow);
		this.checks = new RecipientChecks(kind, {
			...options,
			screen,
			nameOf: (line) => `line ${line}`,
			complain: (complaint, onProblem) => this.leaveOut(complaint, onProblem),
		});
	}

	/**
	 * The blocks of the file, in its order.
	 * @param observe sees each row
	 * @throws Failure where the file cannot be read on, or lacks a column
	 */
	async *blocks(observe?: (row: FileRow, place: number) => void): AsyncGenerator<Block> {
		const { source, options } = this.recipients;
		const { perCampaign = PER_CAMPAIGN } = options;
		for await (const { rows, found } of readRows(source.open(), source.format)) {
			this.found = found;
			for (const row of rows) {
				this.findColumns(row);
				this.take(row);
				observe?.(row, this.rows);
				if (this.block.recipients.length === perCampaign) yield this.endBlock();
			}
		}
		if (this.rows >= this.block.firstRow) yield this.endBlock();
	}

	/** Notes that the sending policy refuses a recipient, whose place is that in the block. */
	refuse(complaint: Complaint, { rows }: Block): void {
		const row = rows[complaint.place];
		if (row !== undefined) this.problems.add({ ...complaint, place: row.line }, row);
	}

	/** What looks wrong with rows that are sent; undefined where nothing does. */
	warning(): string | undefined {
		return this.checks.warning();
	}

	/** Why none of the file may be sent because of rows that were read; undefined where it may. */
	refused(): Failure | undefined {
		const { stopping, firstStopping } = this;
		if (firstStopping === undefined) return undefined;
		const { place: line } = firstStopping;
		return refusedFor(
			this.recipients.kind,
			[firstStopping],
			`${stopping} invalid or duplicate row${stopping === 1 ? '' : 's'} of ${this.rows} (first: line ${line})`,
			`In line ${line} of the file`,
			'To see all of them, use Dry Run or set On Error to continue.',
		);
	}

	/** The error of a file with nobody to send to. */
	nobodyLeft(): Failure {
		const { kind, source } = this.recipients;
		if (this.rows === 0) {
			const advice = 'The first row names the columns, the others are sent.';
			return Failure.ofField(kind.label, 'are empty: the file has no rows', advice);
		}
		if (this.rows < source.startAtRow) {
			const problem = `is after the last row of the file (${this.rows})`;
			return Failure.ofField('Start at Row', problem, 'Use a smaller number.');
		}
		return nobodyLeft(kind, sum(Object.values(this.leftOut)), this.problems.first ?? BLANK_ROW);
	}

	/**
	 * Finds the columns of a file. All rows of a CSV file have the same ones; a line of a JSON Lines
	 * file may have a field that no earlier one had.
	 */
	private findColumns({ line, columns, cells, values }: FileRow): void {
		if (columns.length === this.columnCount) return;
		this.columnCount = columns.length;
		if (columns.length > MAX_COLUMNS) {
			throw unreadable(
				line,
				`has a column too many: ${MAX_COLUMNS} are the maximum`,
				'Remove the columns that are not sent, and use the same field names in all lines.',
			);
		}
		const names = new Set(columns.filter((name) => name !== ''));
		const isJson = cells === undefined;
		const rows = {
			names,
			has: ({ path }: FoundField) => names.has(path) || (isJson && names.has(firstNameOf(path))),
			noun: 'column of the file' as const,
			advice: COLUMN_ADVICE,
		};
		this.columns = findColumns(this.recipients.choices, rows, [values]);
	}

	private take(row: FileRow): void {
		this.row = row;
		this.rows++;
		const { line, values, cells, problem } = row;
		const { kind, isSent } = this.recipients;
		if (isSent?.(this.rows) === true) {
			if (this.isUntouched) this.block = emptyBlock(this.rows + 1);
			this.checks.noteEarlier(this.columns?.read(values)[kind.numberName], line);
			return;
		}
		const isBlank = cells?.every(isNothing) ?? (problem === undefined && isBlankRow(values));
		if (isBlank) {
			this.leaveOut({ ...BLANK_ROW, place: line, phoneNumber: undefined }, 'skip');
			return;
		}
		if (problem !== undefined) {
			// Its values may belong to other columns, so it is never sent, not even "anyway".
			const text = `the row ${problem}`;
			const complaint = { place: line, phoneNumber: undefined, text, code: 'field' as const };
			const { invalid } = this.recipients.options;
			this.leaveOut(complaint, invalid === 'stop' ? 'stop' : 'skip');
			return;
		}
		const recipient = this.checks.check(this.columns?.read(values) ?? {}, line);
		if (recipient === undefined || this.isBefore) return;
		this.block.recipients.push(recipient);
		this.block.rows.push(row);
		this.block.places.push(this.rows);
	}

	/** Counts those who were left out when the turn of their campaign came. */
	noteTakenOut(complaints: readonly Complaint[]): void {
		for (const complaint of complaints) {
			const reason = leftOutAs(complaint);
			this.leftOut[reason] = (this.leftOut[reason] ?? 0) + 1;
		}
	}

	private leaveOut(complaint: Complaint, onProblem: OnProblem): void {
		if (this.row === undefined || this.isBefore || onProblem === 'send') return;
		if (complaint.code !== 'blank') this.problems.add(complaint, this.row);
		if (onProblem === 'stop') {
			this.stopping++;
			this.firstStopping ??= complaint;
		}
		const reason = leftOutAs(complaint);
		for (const leftOut of [this.block.leftOut, this.leftOut]) {
			leftOut[reason] = (leftOut[reason] ?? 0) + 1;
		}
	}

	/** Whether the block has no row yet. */
	private get isUntouched(): boolean {
		const { recipients, leftOut, firstRow } = this.block;
		return recipients.length === 0 && isEmpty(leftOut) && firstRow === this.rows;
	}

	/** Whether the row is before the first one to send: it only tells who has come before. */
	private get isBefore(): boolean {
		return this.rows < this.recipients.source.startAtRow;
	}

	private endBlock(): Block {
		const block = { ...this.block, lastRow: this.rows };
		this.block = emptyBlock(this.rows + 1);
		return block;
	}
}

function emptyBlock(firstRow: number): Block {
	return { firstRow, lastRow: firstRow, recipients: [], rows: [], places: [], leftOut: {} };
}

/** A count as output items have it: only where there is one. */
export function leftOutFields(leftOut: LeftOut): IDataObject {
	return isEmpty(leftOut) ? {} : { leftOut };
}
