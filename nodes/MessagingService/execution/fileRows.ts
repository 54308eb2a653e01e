import type { INodeProperties } from 'n8n-workflow';
import { FileColumns } from '../recipients/file/columns';
import { readFileSource, type FileSource } from '../recipients/file/fields';
import { Problems } from '../recipients/file/problems';
import { readRows, type FileRow } from '../recipients/file/rows';
import type { OperationCall } from '../resources/operation';
import { columnsOfFields, RowMapping } from '../resources/shared/fileRows';
import { InputError } from '../resources/shared/inputError';
import { ParameterReader } from '../resources/shared/parameters';
import type { ServiceClient } from '../transport/request';
import { mapConcurrently } from '../transport/concurrency';
import { plannedRequest } from './dryRun';
import type { FileOutcome } from './fileCall';
import { FileProgress } from './fileProgress';
import { isOver, isResult } from './parts';
import type { Run } from './runState';
import { Sequence } from './sequence';

/** Rows that are read before any of them is sent. */
const GROUP_ROWS = 1000;
const LOGGED_ROWS = 100_000;

/** Rows that follow each other in the file, each with its number. */
type Group = { row: FileRow; number: number }[];

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
	private readonly problems = new Problems(undefined);
	private columns: FileColumns;
	private rows = 0;
	private sent = 0;

	constructor(run: Run, call: OperationCall, mappable: readonly INodeProperties[]) {
		this.run = run;
		this.call = call;
		this.mappable = mappable;
		this.source = readFileSource(call);
		this.columns = this.newColumns();
	}

	outcome(): FileOutcome {
		const { progress, problems, rows, sent, columns, source } = this;
		const record = { firstRow: source.startAtRow, lastRow: rows, stored: sent };
		return {
			...{ progress, problems, rows, binary: {}, milliseconds: 0, leftOut: undefined },
			records: sent === 0 ? [] : [record],
			columns: columns.found ?? { used: [], notUsed: [] },
			isComplete: false,
		};
	}

	async checkAndSend(): Promise<void> {
		await this.check();
		const { run, call, problems, source } = this;
		if (isOver(run)) return;
		const { stopping, firstStopping: first } = problems;
		if (stopping > 0) {
			throw new InputError(
				'Phone Numbers',
				`include ${stopping} invalid rows of ${this.rows} (first: line ${first?.itemIndex ?? 0})`,
				`In line ${first?.itemIndex ?? 0} of the file: ${first?.reason ?? ''} Fix or remove these rows and run again.`,
			);
		}
		if (this.rows < source.startAtRow) {
			throw new InputError(
				'Phone Numbers',
				'are empty: the file has no such rows',
				'The first row names the columns, the others are stored.',
			);
		}
		this.columns = this.newColumns();
		run.progress.expect(call.itemIndexes, Number.MAX_SAFE_INTEGER);
		let part = 0;
		for await (const group of this.groups()) {
			if (isOver(run)) return;
			await this.send(group);
			const [firstRow = 0, lastRow = 0] = [group[0]?.number, group.at(-1)?.number];
			this.progress.note({ part: ++part, firstRow, lastRow, state: 'sent' });
			run.progress.possiblySent(call.itemIndexes);
			run.progress.sent(call.itemIndexes);
			if (lastRow % LOGGED_ROWS === 0) {
				run.context.logger.info(`Messaging Service: ${lastRow} rows of the file stored`);
			}
		}
		run.progress.expect(call.itemIndexes, part);
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
		const { line, problem } = row;
		const [made] = await Promise.allSettled([
			problem === undefined
				? plannedRequest(this.run.connection, async (client) => this.runRow(row, client))
				: Promise.reject(new InputError('The row', problem, 'Fix the row.')),
		]);
		if (made.status === 'fulfilled') return;
		const cause: unknown = made.reason;
		if (!(cause instanceof InputError)) throw cause;
		const reason = `${cause.message}. ${cause.description}`;
		const complaint = { itemIndex: line, phoneNumber: undefined, reason, code: 'field' } as const;
		this.problems.add(complaint, row);
		this.problems.stop(complaint);
	}

	private async send(group: Group): Promise<void> {
		const sequence = new Sequence();
		const { run } = this;
		await mapConcurrently(group, run.concurrency, async ({ row }) => {
			const key = run.operation.sequenceKey?.(this.callFor(row));
			await sequence.run(key, async () => {
				if (isOver(run)) return;
				await this.runRow(row, run.connection);
				this.sent++;
			});
		});
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
