import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sourceOf } from '../recipients/fields';
import { FILE } from '../recipients/fileFields';
import { isChanging, reachesPeople, type ReadingOperation } from '../resources/operation';
import { mapConcurrently } from '../transport/concurrency';
import { sendJobs } from './jobs';
import { sendFile } from './file';
import { itemsOf } from './items';
import { cancellation, stopped } from './report';
import { claimRetry, isTriedAgain, unmarkRuns } from './retryOnce';
import { phoneNumbersOfRows } from './rowNumbers';
import { failed, Rows } from './rows';
import { Turns } from './turns';
import {
	inputFor,
	isCanceled,
	isOver,
	isTool,
	prepareRun,
	sentBefore,
	startRun,
	stopAfter,
	type Run,
	type SendingRun,
	type Started,
} from './start';

/**
 * One run of the action node: turns input items into jobs of the chosen operation, one job per
 * item or one for all of them, and what became of each item into output items.
 *
 * Where the node continues on errors, nothing is thrown but the cancellation: n8n would pass the
 * input items out of the success branch.
 */
export async function runNode(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const rows = new Rows(context.getInputData().length);
	let started: Started | undefined;
	let run: Run | undefined;
	try {
		started = startRun(context, rows);
		const isDryRun = context.getNode().parameters.dryRun === true;
		await claimRetry(context, isChanging(started.operation) && !isDryRun);
		run = await prepareRun(started);
		if (isChanging(run.operation)) await change(run as SendingRun);
		else await read(run as Run<ReadingOperation>);
		showHints(run);
	} catch (cause) {
		settleOthers(context, rows, started, cause);
	}
	settleOthers(context, rows, started);
	if (isCanceled({ context })) throw cancellation(context, rows);
	return [await outputOrFailure(context, rows, started, run)];
}

/** The input items of each job: one of them, or all. */
function itemGroups({ kind, rows }: Run): (readonly number[])[] {
	return kind === 'allItems' ? [rows.all] : rows.all.map((row) => [row]);
}

async function change(run: SendingRun): Promise<void> {
	const { recipients } = run.operation;
	if (recipients === undefined || sourceOf(recipients, run.context) !== FILE) {
		await sendJobs(run, itemGroups(run));
		return;
	}
	for (const row of run.rows.all) {
		if (!isOver(run)) await sendFile(run, recipients, row);
	}
}

async function read(run: Run<ReadingOperation>): Promise<void> {
	const { operation, rows, notes } = run;
	const turns = new Turns();
	await mapConcurrently(itemGroups(run), run.client.concurrency, async (itemIndexes) => {
		await turns.give();
		if (isOver(run)) return;
		try {
			const input = inputFor(run, itemIndexes);
			const result = await operation.run({ ...input, noteCut: (cut) => void notes.cuts.push(cut) });
			rows.set(itemIndexes, { sent: 'no', records: Array.isArray(result) ? result : [result] });
		} catch (cause) {
			rows.set(itemIndexes, stopAfter(run, failed(cause, 'no')));
		}
	});
}

/** Rows without an outcome: the run failed as a whole, or was stopped before it came to them. */
function settleOthers(
	context: IExecuteFunctions,
	rows: Rows,
	started: Started | undefined,
	cause?: unknown,
): void {
	// Without a record, it is not known what other tries have sent.
	const unknown = context.getMode() === 'retry' ? 'possibly' : 'no';
	for (const row of rows.all) {
		if (rows.of(row) !== undefined) continue;
		const input = started?.kind === 'allItems' ? [0] : [row];
		const sent = started === undefined ? unknown : sentBefore(started, input);
		rows.set([row], cause === undefined ? { sent } : failed(cause, sent));
	}
}

/**
 * The output of a run, or its end.
 * @throws the failure that stops the node, if there is one, with what was sent and what was not
 */
async function outputOrFailure(
	context: IExecuteFunctions,
	rows: Rows,
	started: Started | undefined,
	run: Run | undefined,
): Promise<INodeExecutionData[]> {
	const { operation, record, failuresAreItems = context.continueOnFail() } = started ?? {};
	const stopping = failuresAreItems ? undefined : rows.firstFailed();
	const items = stopping === undefined ? itemsOf(context, rows, phoneNumbersOfRows(run)) : [];
	const isLast = !isTriedAgain(context, stopping !== undefined || looksFailed(items));
	// n8n might be killed before the next try.
	if (isLast) await unmarkRuns(context);
	if (stopping !== undefined) {
		throw stopped(context, rows, stopping, operation !== undefined && reachesPeople(operation));
	}
	if (isLast) record?.clear();
	return items;
}

/**
 * Whether n8n takes the node's output for a failure to try again: it looks at the first item only.
 * n8n 1 does so for any value of `error`.
 */
function looksFailed([first]: readonly INodeExecutionData[]): boolean {
	return first?.json.error !== undefined;
}

/** An agent has no such panel, and older versions of n8n have no such hints. */
function showHints({ context, notes }: Run): void {
	if (!isTool(context) && 'addExecutionHints' in context) {
		context.addExecutionHints(...notes.hints());
	}
}
