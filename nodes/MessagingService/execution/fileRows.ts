import type { INodeProperties } from 'n8n-workflow';
import type { Complaint } from '../recipients/checks';
import { FileColumns } from '../recipients/file/columns';
import { readFileSource, type FileSource } from '../recipients/file/fields';
import { readRows, type FileRow } from '../recipients/file/rows';
import type { OperationCall } from '../resources/operation';
import { columnsOfFields, RowMapping } from '../resources/shared/fileRows';
import { InputError } from '../resources/shared/inputError';
import { ParameterReader } from '../resources/shared/parameters';
import type { ServiceClient } from '../transport/request';
import { mapConcurrently } from '../transport/concurrency';
import { failureOf, toNodeApiError } from '../transport/errors';
import { FIX_FIELDS } from '../transport/responseFailure';
import { plannedRequest } from './dryRun';
import { rowFailureOf, type RowFailure } from './errorItems';
import type { FileOutcome } from './fileCall';
import { collectProblems, type CollectedProblems } from './fileProblems';
import { FileProgress, type FileCampaign } from './fileProgress';
import { isOver, isResult } from './parts';
import type { Run } from './runState';
import { Sequence } from './sequence';

/** Rows that are read before any of them is sent. */
const GROUP_ROWS = 1000;
const LOGGED_ROWS = 100_000;
/** Failed rows that an error names beside the first. */
const MOST_NAMED = 3;

/** A row and its number in the file, from 1. */
interface NumberedRow {
	row: FileRow;
	number: number;
}

/** Rows that follow each other in the file. */
type Group = NumberedRow[];

type FailedRow = NumberedRow & { cause: unknown };

/**
 * Runs an operation for each row of the file of one input item: first all rows are checked, then all
 * are sent. Failures are part of the outcome.
 * @throws InputError for fields that are wrong
 */
export async function runFileRows(
	run: Run,
	call: OperationCall,
	mappable: readonly INodeProperties[],
): Promise<FileOutcome> {
	const started = Date.now();
	const rows = new FileRows(run, call, mappable);
	const [made] = await Promise.allSettled([rows.checkAndSend()]);
	const outcome = rows.outcome();
	if (made.status === 'rejected') {
		const cause: unknown = made.reason;
		outcome.failure = { cause, isEarlier: false };
		run.isStopped ||= !isResult(run);
	}
	return { ...outcome, milliseconds: Date.now() - started };
}

class FileRows {
	private readonly run: Run;
	private readonly call: OperationCall;
	private readonly mappable: readonly INodeProperties[];
	private readonly source: FileSource;
	private readonly progress: FileProgress;
	private readonly collected: CollectedProblems;
	private columns: FileColumns;
	private rows = 0;
	private isComplete = false;

	constructor(run: Run, call: OperationCall, mappable: readonly INodeProperties[]) {
		this.run = run;
		this.call = call;
		this.mappable = mappable;
		this.source = readFileSource(call);
		this.progress = new FileProgress(this.source, { areStored: true });
		this.collected = collectProblems(this.source, call.context);
		this.columns = this.newColumns();
	}

	outcome(): FileOutcome {
		const { collected, progress, rows, columns, source, isComplete } = this;
		const firstRow = source.startAtRow;
		return {
			...{ ...collected, progress, firstRow, rows, isComplete, isUnsent: progress.isUntouched },
			...{ milliseconds: 0, leftOut: undefined, costly: undefined, failure: undefined },
			records: isComplete ? [{ firstRow, lastRow: rows, stored: rows - firstRow + 1 }] : [],
			columns: columns.found ?? { used: [], notUsed: [] },
		};
	}

	async checkAndSend(): Promise<void> {
		try {
			await this.check();
			if (isOver(this.run)) return;
			this.assertSendable();
			await this.sendAll();
		} finally {
			await this.collected.problems.storeFile();
		}
	}

	/** @throws InputError where a row is invalid, or there is none */
	private assertSendable(): void {
		const { stopping, firstStopping: first } = this.collected.problems;
		if (first !== undefined) {
			throw new InputError(
				'Phone Numbers',
				`include ${stopping} invalid rows of ${this.rows} (first: line ${first.itemIndex})`,
				`In line ${first.itemIndex} of the file: ${first.reason} Fix or remove these rows and run again.`,
			);
		}
		if (this.rows < this.source.startAtRow) {
			throw new InputError(
				'Phone Numbers',
				'are empty: the file has no such rows',
				'The first row names the columns, the others are stored.',
			);
		}
	}

	private async sendAll(): Promise<void> {
		const { run, call } = this;
		this.progress.endAt(this.rows);
		this.columns = this.newColumns();
		run.progress.expect(call.itemIndexes, Number.MAX_SAFE_INTEGER);
		let requests = 0;
		for await (const group of this.groups()) {
			const failed = await this.send(group);
			requests++;
			if (failed.length > 0) throw this.failureOf(failed);
			if (isOver(run)) return;
			const row = group.at(-1)?.number ?? 0;
			if (row % LOGGED_ROWS === 0) {
				run.context.logger.info(`Messaging Service: ${row} rows of the file stored`);
			}
		}
		run.progress.expect(call.itemIndexes, requests);
		this.isComplete = true;
	}

	/** Finds every row that cannot be sent. */
	private async check(): Promise<void> {
		const { run } = this;
		for await (const group of this.groups()) {
			if (isOver(run)) return;
			for (const { row } of group) await this.checkRow(row);
		}
	}

	private async checkRow(row: FileRow): Promise<void> {
		const { problem } = row;
		const [made] = await Promise.allSettled([
			problem === undefined
				? plannedRequest(this.run.connection, async (client) => this.runRow(row, client))
				: Promise.reject(new InputError('The row', problem, 'Fix the row.')),
		]);
		if (made.status === 'fulfilled') return;
		const cause: unknown = made.reason;
		if (!(cause instanceof InputError)) throw cause;
		const complaint = this.noteProblem(row, `${cause.message}. ${cause.description}`);
		this.collected.problems.stop(complaint);
	}

	private noteProblem(row: FileRow, reason: string): Complaint {
		const { line: itemIndex } = row;
		const complaint: Complaint = { itemIndex, phoneNumber: undefined, reason, code: 'field' };
		this.collected.problems.add(complaint, row);
		return complaint;
	}

	/** @returns the rows that failed: no more are started after the first of them */
	private async send(group: Group): Promise<FailedRow[]> {
		const sequence = new Sequence();
		const { run } = this;
		const failed: FailedRow[] = [];
		const stored = new Set<number>();
		await mapConcurrently(group, run.concurrency, async ({ row, number }) => {
			const key = run.operation.sequenceKey?.(this.callFor(row));
			await sequence.run(key, async () => {
				if (isOver(run) || failed.length > 0) return;
				const [made] = await Promise.allSettled([this.runRow(row, run.connection)]);
				if (made.status === 'fulfilled') stored.add(number);
				else failed.push({ row, number, cause: made.reason });
			});
		});
		this.note(group, stored, failed);
		return failed.sort((a, b) => a.number - b.number);
	}

	/** Notes what became of the rows of a group: of all as one, where all were stored. */
	private note(group: Group, stored: ReadonlySet<number>, failed: readonly FailedRow[]): void {
		const { progress, run, call } = this;
		const note = (firstRow: number, lastRow: number, state: FileCampaign['state']) =>
			progress.note({ part: firstRow, firstRow, lastRow, campaigns: 1, state });
		const [first] = group;
		if (first !== undefined && stored.size === group.length) {
			note(first.number, first.number + group.length - 1, 'sent');
		} else {
			for (const number of stored) note(number, number, 'sent');
		}
		const open = failed.filter(({ cause }) => failureOfRow(cause).sent === 'possibly');
		for (const { number } of open) note(number, number, 'possiblySent');
		if (stored.size + open.length === 0) return;
		run.progress.possiblySent(call.itemIndexes);
		if (open.length === 0) run.progress.sent(call.itemIndexes);
	}

	/** What stops the run: the failure of the first row, with its place. The problems are those of all. */
	private failureOf(failed: readonly FailedRow[]): unknown {
		for (const { row, cause } of failed) {
			const { message, sent } = failureOfRow(cause);
			const reason = sent === 'possibly' ? `${message} (possibly stored)` : message;
			this.noteProblem(row, reason);
		}
		const [{ row, number, cause }, ...others] = failed as [FailedRow, ...FailedRow[]];
		const failure = failureOf(cause);
		if (failure === undefined) return cause;
		const own = failure.description.replace(FIX_FIELDS, 'Fix the row.');
		const description = `Line ${row.line} of the file (row ${number}): ${own}${alsoFailed(others)}`;
		return toNodeApiError(this.run.context.getNode(), { ...failure, description });
	}

	private async runRow(row: FileRow, client: ServiceClient) {
		return await this.run.operation.run({ ...this.callFor(row), client });
	}

	private callFor({ values }: FileRow): OperationCall {
		const { run, call, mappable } = this;
		const mapping = new RowMapping(mappable, this.columns.read(values));
		const parameters = run.parameters.withMapping(mapping);
		const { context, itemIndexes } = call;
		return { ...call, parameters: new ParameterReader(context, itemIndexes, parameters) };
	}

	/** The rows to send, in groups. */
	private async *groups(): AsyncGenerator<Group> {
		const { source, columns } = this;
		let group: Group = [];
		this.rows = 0;
		for await (const rows of readRows(source.open(), source.format, columns.meetFirst)) {
			for (const row of rows) {
				columns.meet(row);
				this.rows++;
				if (this.rows < source.startAtRow) continue;
				group.push({ row, number: this.rows });
				if (group.length < GROUP_ROWS) continue;
				yield group;
				group = [];
			}
		}
		if (group.length > 0) yield group;
	}

	private newColumns(): FileColumns {
		return new FileColumns(columnsOfFields(this.call.parameters, this.mappable));
	}
}

/** An error of which nothing is known leaves open whether the row was stored. */
function failureOfRow(cause: unknown): RowFailure {
	const isKnown = failureOf(cause) !== undefined || cause instanceof InputError;
	return rowFailureOf(cause, isKnown);
}

/** Rows that were in progress when the first one failed, and failed as well. */
function alsoFailed(rows: readonly FailedRow[]): string {
	if (rows.length === 0) return '';
	const named = rows
		.slice(0, MOST_NAMED)
		.map(({ row, cause }) => `line ${row.line} (${failureOfRow(cause).message})`);
	const more = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : '';
	return ` Also failed: ${named.join(', ')}${more}.`;
}
