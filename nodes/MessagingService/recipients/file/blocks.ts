import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../parameters/inputError';
import { RecipientChecks, type Complaint, type Screen } from '../checks';
import { findColumns, firstNameOf, type ColumnChoice, type Columns } from '../columns';
import { onProblemLabels, type OnProblem, type RecipientOptions } from '../fields';
import type { RecipientKind } from '../kind';
import type { Problems } from './problems';
import { FileError, type FileRow } from './row';
import { readRows } from './rows';
import type { FileSource } from './source';

/** What the recipients of a file are made with. */
export interface FileRecipients {
	kind: RecipientKind;
	source: FileSource;
	options: RecipientOptions;
	choices: readonly ColumnChoice[];
	screen: Screen | undefined;
}

/** Rows that follow each other in the file, and the recipients that they became. */
export interface Block {
	/** Rows of the file, from 1. */
	firstRow: number;
	lastRow: number;
	/** The recipients of one campaign, and the line of each. Empty at the end of a file. */
	recipients: IDataObject[];
	lines: number[];
	/** How many rows were left out. */
	leftOut: LeftOut;
}

/** How many rows were left out, and why. */
interface LeftOut {
	invalid: number;
	duplicate: number;
	doNotContact: number;
	sendingHours: number;
}

/** Contacts per Campaign, where the user sets none. */
const PER_CAMPAIGN = 10_000;

/** More are no list of recipients. */
const MAX_COLUMNS = 1000;

/** One pass over a file: reads, checks and divides its rows, and keeps only those of one block. */
export class FilePass {
	/** The columns that recipients are made from; undefined before the first row. */
	columns: Columns | undefined;
	/** Rows of the file that were read. */
	rows = 0;
	/** Rows that were left out. */
	readonly leftOutInAll = nobody();
	private readonly kind: RecipientKind;
	private readonly choices: readonly ColumnChoice[];
	private readonly source: FileSource;
	private readonly problems: Problems;
	private readonly checks: RecipientChecks;
	private readonly perCampaign: number;
	private readonly invalid: OnProblem;
	/** How many columns have been seen. */
	private columnCount = 0;
	/** The block of the next rows. */
	private block: Block;
	/** The row that is being checked. */
	private row: FileRow | undefined;

	constructor({ kind, source, options, choices, screen }: FileRecipients, problems: Problems) {
		this.kind = kind;
		this.source = source;
		this.problems = problems;
		this.choices = choices;
		this.perCampaign = options.perCampaign ?? PER_CAMPAIGN;
		this.invalid = options.invalid;
		this.block = emptyBlock(source.startAtRow);
		const nameOf = (line: number) => `line ${line}`;
		this.checks = new RecipientChecks(
			kind,
			{ ...options, screen, nameOf },
			(complaint, onProblem) => this.leaveOut(complaint, onProblem),
		);
	}

	/**
	 * The blocks of the file, in its order.
	 * @throws FileError where the file cannot be read on, InputError for a column that it does not have
	 */
	async *blocks(): AsyncGenerator<Block> {
		for await (const rows of readRows(this.source.open(), this.source.format)) {
			for (const row of rows) {
				this.findColumns(row);
				this.take(row);
				if (this.block.recipients.length === this.perCampaign) yield this.endBlock();
			}
		}
		if (this.rows >= this.block.firstRow) yield this.endBlock();
	}

	/** The error of a file because of whose rows nothing is sent; undefined where there are none. */
	refused(): InputError | undefined {
		const { stopping, firstStopping } = this.problems;
		if (firstStopping === undefined) return undefined;
		const { itemIndex: line, reason, advice } = firstStopping;
		return new InputError(
			this.kind.label,
			`include ${stopping} invalid or duplicate rows of ${this.rows} (first: line ${line})`,
			`In line ${line} of the file, ${reason}.${advice === undefined ? '' : ` ${advice}`} Fix or remove these rows and run again, or choose under ${onProblemLabels(this.kind)} in Options what to do with them. To see all of them, use Dry Run or set On Error to continue.`,
		);
	}

	/** The error of a file with nobody to send to. */
	nobodyLeft(): InputError {
		const { label } = this.kind;
		if (this.rows === 0) {
			const advice = 'The first row names the columns, the others are sent.';
			return new InputError(label, 'are empty: the file has no rows', advice);
		}
		if (this.rows < this.source.startAtRow) {
			const problem = `is after the last row of the file (${this.rows})`;
			return new InputError('Start at Row', problem, 'Use a smaller number.');
		}
		const { total, listed } = this.problems;
		const advice = `None of ${total} is left to send to. For the first of them, ${String(listed[0]?.reason)}.`;
		return new InputError(label, 'are all left out', advice);
	}

	/**
	 * Finds the columns of a file. All rows of a CSV file have the same ones; a line of a JSON Lines
	 * file may have a field that no earlier one had.
	 */
	private findColumns({ line, columns, cells }: FileRow): void {
		if (columns.length === this.columnCount) return;
		this.columnCount = columns.length;
		if (columns.length > MAX_COLUMNS) {
			throw new FileError(
				line,
				`has a column too many: ${MAX_COLUMNS} are the maximum`,
				'Remove the columns that are not sent, and use the same field names in all lines.',
			);
		}
		const names = new Set(columns.filter((name) => name !== ''));
		const isJson = cells === undefined;
		this.columns = findColumns(this.choices, {
			names,
			has: ({ path }) => names.has(path) || (isJson && names.has(firstNameOf(path))),
			noun: 'column of the file',
		});
	}

	private take(row: FileRow): void {
		this.row = row;
		this.rows++;
		const { line, values, problem } = row;
		if (problem !== undefined) {
			// Its values may belong to other columns, so it is never sent, not even "anyway".
			const reason = `the row ${problem}`;
			const complaint = { itemIndex: line, phoneNumber: undefined, reason, code: 'field' as const };
			this.leaveOut(complaint, this.invalid === 'stop' ? 'stop' : 'skip');
			return;
		}
		const recipient = this.checks.check(this.columns?.read(values) ?? {}, line);
		if (recipient === undefined || this.isBefore) return;
		this.block.recipients.push(recipient);
		this.block.lines.push(line);
	}

	private leaveOut(complaint: Complaint, onProblem: OnProblem): void {
		if (this.isBefore) return;
		this.problems.add(complaint, this.row);
		if (onProblem === 'stop') this.problems.stop(complaint);
		if (onProblem === 'send') return;
		const reason = countedAs(complaint);
		this.block.leftOut[reason]++;
		this.leftOutInAll[reason]++;
	}

	/** Whether the row is before the first one to send: it only tells who has come before. */
	private get isBefore(): boolean {
		return this.rows < this.source.startAtRow;
	}

	private endBlock(): Block {
		// The first of the choices is that of the phone number, which every file has.
		this.problems.describe(this.row?.columns ?? [], this.columns?.used[0]);
		const block = { ...this.block, lastRow: this.rows };
		this.block = emptyBlock(this.rows + 1);
		return block;
	}
}

function emptyBlock(firstRow: number): Block {
	return { firstRow, lastRow: firstRow, recipients: [], lines: [], leftOut: nobody() };
}

function nobody(): LeftOut {
	return { invalid: 0, duplicate: 0, doNotContact: 0, sendingHours: 0 };
}

/** As what a recipient counts that was left out. */
function countedAs({ code }: Complaint): keyof LeftOut {
	return code === 'duplicate' || code === 'doNotContact' || code === 'sendingHours'
		? code
		: 'invalid';
}

/** A count as output items have it: only what there is. */
export function leftOutFields(leftOut: LeftOut): IDataObject {
	const entries = Object.entries(leftOut).filter(([, count]) => count > 0);
	return entries.length === 0 ? {} : { leftOut: Object.fromEntries(entries) as IDataObject };
}
