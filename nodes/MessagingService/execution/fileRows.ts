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
import { failureOf } from '../transport/errors';
import { plannedRequest } from './dryRun';
import { rowFailureOf } from './errorItems';
import type { FileOutcome } from './fileCall';
import { collectProblems, type CollectedProblems } from './fileProblems';
import { FileProgress, type FileCampaign } from './fileProgress';
import { isOver, isResult } from './parts';
import type { Run } from './runState';
import { Sequence } from './sequence';

/** Rows that are read before any of them is sent. */
const GROUP_ROWS = 1000;
const LOGGED_ROWS = 100_000;

/** A row and its number in the file, from 1. */
interface NumberedRow {
	row: FileRow;
	number: number;
}

/** Rows that follow each other in the file. */
type Group = NumberedRow[];

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
	private readonly progress = new FileProgress();
	private readonly collected: CollectedProblems;
	private columns: FileColumns;
	private rows = 0;
	private sent = 0;
	/** Ranges of rows that are noted. */
	private ranges = 0;
	private isComplete = false;

	constructor(run: Run, call: OperationCall, mappable: readonly INodeProperties[]) {
		this.run = run;
		this.call = call;
		this.mappable = mappable;
		this.source = readFileSource(call);
		this.collected = collectProblems(this.source, call.context);
		this.columns = this.newColumns();
	}

	outcome(): FileOutcome {
		const { collected, progress, rows, sent, columns, source, isComplete } = this;
		const record = { firstRow: source.startAtRow, lastRow: rows, stored: sent };
		return {
			...{ ...collected, progress, rows, milliseconds: 0, leftOut: undefined, isComplete },
			records: sent === 0 ? [] : [record],
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
			await this.collected.problems.flush(true);
		}
	}

	/** @throws InputError where a row is invalid, or there is none */
	private assertSendable(): void {
		const { stopping, firstStopping: first } = this.collected.problems;
		if (stopping > 0) {
			throw new InputError(
				'Phone Numbers',
				`include ${stopping} invalid rows of ${this.rows} (first: line ${first?.itemIndex ?? 0})`,
				`In line ${first?.itemIndex ?? 0} of the file: ${first?.reason ?? ''} Fix or remove these rows and run again.`,
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
		this.columns = this.newColumns();
		run.progress.expect(call.itemIndexes, Number.MAX_SAFE_INTEGER);
		let groups = 0;
		for await (const group of this.groups()) {
			if (isOver(run)) return;
			await this.send(group);
			groups++;
			run.progress.possiblySent(call.itemIndexes);
			run.progress.sent(call.itemIndexes);
			const lastRow = group.at(-1)?.number ?? 0;
			if (lastRow % LOGGED_ROWS === 0) {
				run.context.logger.info(`Messaging Service: ${lastRow} rows of the file stored`);
			}
		}
		if (isOver(run)) return;
		run.progress.expect(call.itemIndexes, groups);
		this.isComplete = true;
	}

	/** Finds every row that cannot be sent. */
	private async check(): Promise<void> {
		const { run } = this;
		for await (const group of this.groups()) {
			if (isOver(run)) return;
			for (const { row } of group) await this.checkRow(row);
			await this.collected.problems.flush();
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

	/** Sends rows simultaneously. After a failure, those in progress end, and no other one starts. */
	private async send(group: Group): Promise<void> {
		const sequence = new Sequence();
		const { run } = this;
		const states = new Map<number, FileCampaign['state']>();
		const [sending] = await Promise.allSettled([
			mapConcurrently(group, run.concurrency, async ({ row, number }) => {
				const key = run.operation.sequenceKey?.(this.callFor(row));
				await sequence.run(key, async () => {
					if (isOver(run)) return;
					const [made] = await Promise.allSettled([this.runRow(row, run.connection)]);
					states.set(number, this.stateAfter(made, row));
					if (made.status === 'rejected') throw made.reason;
				});
			}),
		]);
		this.noteStates(group, states);
		if (sending.status === 'rejected') throw sending.reason;
	}

	private stateAfter(made: PromiseSettledResult<unknown>, row: FileRow): FileCampaign['state'] {
		if (made.status === 'fulfilled') {
			this.sent++;
			return 'sent';
		}
		const cause: unknown = made.reason;
		const isKnown = failureOf(cause) !== undefined || cause instanceof InputError;
		const { sent, message } = rowFailureOf(cause, isKnown);
		this.noteProblem(row, message);
		return sent === 'no' ? 'notSent' : 'possiblySent';
	}

	/** Notes which rows were sent, as few ranges as possible: a file may have millions. */
	private noteStates(group: Group, states: ReadonlyMap<number, FileCampaign['state']>): void {
		let range: FileCampaign | undefined;
		for (const { number } of group) {
			const state = states.get(number);
			if (state === undefined) continue;
			if (range?.state === state && range.lastRow === number - 1) {
				range.lastRow = number;
				continue;
			}
			range = { part: ++this.ranges, firstRow: number, lastRow: number, state };
			this.progress.note(range);
		}
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
				if (this.rows === source.endAtRow) break;
				columns.meet(row);
				this.rows++;
				if (this.rows < source.startAtRow) continue;
				group.push({ row, number: this.rows });
				if (group.length < GROUP_ROWS) continue;
				yield group;
				group = [];
			}
			if (this.rows === source.endAtRow) break;
		}
		if (group.length > 0) yield group;
	}

	private newColumns(): FileColumns {
		return new FileColumns(columnsOfFields(this.call.parameters, this.mappable));
	}
}
