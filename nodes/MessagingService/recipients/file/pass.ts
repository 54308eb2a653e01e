import { createHash } from 'crypto';
import { isEmpty } from 'lodash';
import { Failure } from '../../failure';
import { BLANK_ROW, type Complaint, type StartScreen } from '../../reason';
import { nobodyLeft, RecipientPass, refusedFor, type LeftOut } from '../pass';
import { findColumns, firstNameOf, type ColumnChoice, type Columns } from '../sources';
import type { Block } from '../../parameters/operationInput';
import { COLUMN_ADVICE, isBlankRow, type FoundField } from '../../parameters/inputFields';
import { isNothing } from '../../parameters/values';
import type { RecipientOptions } from '../fields';
import type { RecipientKind } from '../kind';
import type { FoundEncoding } from './encoding';
import { Problems } from './problems';
import { unreadable, readRows, type FileRow } from './rows';
import type { FileSource } from './source';

/** How a file is read, and what its rows become. */
export interface FileReading {
	kind: RecipientKind;
	source: FileSource;
	options: RecipientOptions;
	choices: readonly ColumnChoice[];
	screen?: StartScreen | undefined;
	/** The rows that earlier tries have sent; once a retry sends, also its own. */
	sentRows: Set<number>;
}

/** A block of a file, with the line of each recipient. */
interface FileBlock extends Block {
	lines: number[];
	/** Their rows, where the problems file may need them. */
	rows: FileRow[];
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
	readonly problems: Problems;
	private readonly hash = createHash('sha256');
	private readonly reading: FileReading;
	private readonly pass: RecipientPass;
	/** The lines and rows of the next block. */
	private taken: Pick<FileBlock, 'lines' | 'rows'> = { lines: [], rows: [] };
	/** The row that is being checked. */
	private row: FileRow | undefined;
	/** How many columns have been seen. */
	private columnCount = 0;

	/** @param first a whole pass over the same file */
	constructor(reading: FileReading, first?: FilePass) {
		const { kind, source, options, screen } = reading;
		this.reading = reading;
		this.problems = new Problems(source.wantsProblemsFile);
		this.pass = new RecipientPass(kind, {
			...options,
			perCampaign: options.perCampaign ?? PER_CAMPAIGN,
			screen,
			areTextsPlain: first?.pass.areTextsPlain,
			from: source.startAtRow,
			nameOf: (line) => `line ${line}`,
			complain: (complaint, onProblem) => {
				if (this.row === undefined || onProblem === 'send' || complaint.code === 'blank') return;
				this.problems.add(complaint, this.row);
			},
		});
	}

	/** How many of all rows were left out, and why; undefined where none was. */
	get leftOut(): LeftOut | undefined {
		return isEmpty(this.pass.leftOut) ? undefined : this.pass.leftOut;
	}

	/**
	 * The blocks of the file, in its order.
	 * @throws Failure where the file cannot be read on, or lacks a column
	 */
	async *blocks(): AsyncGenerator<FileBlock> {
		const { source } = this.reading;
		for await (const { rows, found } of readRows(this.bytes(), source.format)) {
			this.found = found;
			for (const row of rows) {
				this.findColumns(row);
				this.take(row);
				if (this.pass.isFull) yield* this.endBlock();
			}
		}
		yield* this.endBlock();
	}

	/** Tells the file from others, once all of it was read. */
	get digest(): string {
		return this.hash.copy().digest('base64url');
	}

	private async *bytes(): AsyncGenerator<Uint8Array> {
		for await (const chunk of this.reading.source.open()) {
			this.hash.update(chunk);
			yield chunk;
		}
	}

	private endBlock(): FileBlock[] {
		const { taken } = this;
		this.taken = { lines: [], rows: [] };
		return this.pass.endBlock().map((block) => ({ ...block, ...taken }));
	}

	/** Notes that the sending policy refuses a recipient, whose place is that in the block. */
	refuse(complaint: Complaint, { lines, rows }: FileBlock): void {
		const { place } = complaint;
		this.problems.add({ ...complaint, place: lines[place] ?? place }, rows[place]);
	}

	/** What looks wrong with rows that are sent; undefined where nothing does. */
	warning(): string | undefined {
		return this.pass.warning();
	}

	/** Why none of the file may be sent because of rows that were read; undefined where it may. */
	refused(): Failure | undefined {
		const { count, first } = this.pass.stopping;
		if (first === undefined) return undefined;
		const { place: line } = first;
		return refusedFor(
			this.reading.kind,
			[first],
			`${count} invalid or duplicate row${count === 1 ? '' : 's'} of ${this.rows} (first: line ${line})`,
			`In line ${line} of the file`,
			'To see all of them, use Dry Run or set On Error to continue.',
		);
	}

	/** The error of a file with nobody to send to. */
	nobodyLeft(): Failure {
		const { kind, source } = this.reading;
		if (this.rows === 0) {
			const advice = 'The first row names the columns, the others are sent.';
			return Failure.ofField(kind.label, 'are empty: the file has no rows', advice);
		}
		if (this.rows < source.startAtRow) {
			const problem = `is after the last row of the file (${this.rows})`;
			return Failure.ofField('Start at Row', problem, 'Use a smaller number.');
		}
		return nobodyLeft(kind, this.pass.leftOut, this.problems.first ?? BLANK_ROW);
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
		const choices = this.reading.choices.map((choice) => ({
			...choice,
			// A field of a later line would make another guess.
			numbers: isJson ? undefined : choice.numbers,
		}));
		this.columns = findColumns(choices, rows, [values]);
	}

	private take(row: FileRow): void {
		this.row = row;
		this.rows++;
		const { pass, rows: place } = this;
		const { line, values, cells, problem } = row;
		const { kind, sentRows } = this.reading;
		if (sentRows.has(place)) {
			pass.skipSent(this.columns?.read(values)[kind.numberName], line);
			return;
		}
		const isBlank = cells?.every(isNothing) ?? (problem === undefined && isBlankRow(values));
		if (!isBlank && problem !== undefined) {
			const text = `the row ${problem.text}`;
			pass.skipUnreadable({ code: 'field', text, advice: problem.advice }, place, line);
			return;
		}
		const candidate = isBlank ? undefined : (this.columns?.read(values) ?? {});
		if (!pass.take(candidate, place, line)) return;
		this.taken.lines.push(line);
		if (this.reading.source.wantsProblemsFile) this.taken.rows.push(row);
	}

	/** Counts those who were left out when the turn of their campaign came. */
	noteLeftOut(complaints: readonly Complaint[]): void {
		for (const complaint of complaints) this.pass.countLeftOut(complaint);
	}
}
