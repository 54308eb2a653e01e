import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { OperationCall } from '../resources/operation';
import { ParameterReader } from '../resources/shared/parameters';
import { mapConcurrently } from '../transport/concurrency';
import { makeCall, readsFile, type CallResult } from './calls';
import type { Run } from './runState';
import { ExecutionCancelled } from './cancellation';
import { toNodeError } from './errorItems';
import { showHints } from './hints';
import { Output } from './output';
import { isOver, isResult } from './parts';
import { prepare, start, type Started } from './prepare';
import { reportsOfFiles } from './fileReports';
import { Progress } from './progress';
import { Sequence } from './sequence';
import { reportOfStop } from './stopped';

/**
 * One run of the action node: turns input items into calls of the chosen operation, one call per
 * item or one for all of them, and their results into output items.
 *
 * Where the node continues on errors, nothing is thrown but the cancellation: n8n would pass the
 * input items out of the success branch.
 */
export async function runNode(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const progress = new Progress(context.getInputData().length);
	const output = new Output(context);
	let started: Started | undefined;
	let run: Run;
	try {
		started = start(context, progress);
		run = await prepare(context, started);
	} catch (cause) {
		started?.sent.countEarlier();
		if (isCancelled(context)) throw cancelled(context, progress, [], isRetry(started));
		return [await failedRun(context, output, progress, started, cause)];
	}
	const results = await makeCalls(run);
	await finishClaims(run);
	if (run.isStopped || isCancelled(context)) run.sent.countEarlier();
	if (isCancelled(context)) throw cancelled(context, progress, results, isRetry(run));
	throwFailure(run, results);
	const items = results.flatMap((result) => output.ofCall(result));
	showHints(run, results);
	if (!(context.getNode().retryOnFail === true && looksFailed(items))) run.sent.clear();
	return [items];
}

/** The items of a run that could not be prepared. @throws the failure, where the node stops on errors */
async function failedRun(
	context: IExecuteFunctions,
	output: Output,
	progress: Progress,
	started: Started | undefined,
	cause: unknown,
): Promise<INodeExecutionData[]> {
	if (!context.continueOnFail()) {
		const error = toNodeError(context, cause, 0);
		const isKnown = progress.rows().notSent.length < progress.total;
		if (started !== undefined && (isKnown || isRetry(started)))
			addReport(error, [reportFor(context, started)]);
		throw error;
	}
	const known = started?.sent.earlierRows();
	// Without a record, it is not known what other tries have sent.
	const isUnclaimed =
		started === undefined ? context.getMode() !== 'retry' : await started.sent.isUnclaimed();
	if (started !== undefined) await finishClaims({ context, sent: started.sent });
	return output.ofFailedRun(
		cause,
		progress.total,
		(row) => isUnclaimed && known?.has(row) !== true,
	);
}

/** The input items of each call: one of them, or all. */
function callsOf({ kind, progress }: Run): number[][] {
	const allIndexes = Array.from({ length: progress.total }, (_, index) => index);
	return kind === 'allItems' ? [allIndexes] : allIndexes.map((index) => [index]);
}

async function makeCalls(run: Run): Promise<CallResult[]> {
	const sequence = new Sequence();
	const { context, connection: client } = run;
	// One file after the other: each has many requests of its own.
	const concurrency = readsFile(run) ? 1 : run.concurrency;
	return await mapConcurrently(callsOf(run), concurrency, async (itemIndexes) => {
		const parameters = new ParameterReader(context, itemIndexes, run.parameters);
		const call: OperationCall = { context, client, parameters, itemIndexes };
		return await sequence.run(sequenceKey(run, call), async () => makeCall(run, call));
	});
}

function sequenceKey(run: Run, call: OperationCall): string | undefined {
	const { operation } = run;
	if (operation.sequenceKey === undefined || isOver(run)) return undefined;
	try {
		return operation.sequenceKey(call);
	} catch {
		// The call itself fails for the same reason, and says so.
		return undefined;
	}
}

/** Tells later retries what this one has sent. */
async function finishClaims({ context, sent }: Pick<Run, 'context' | 'sent'>): Promise<void> {
	try {
		await sent.claims?.finish();
	} catch (error) {
		// They take what they do not know for possibly sent.
		context.logger.warn('Could not store which items this retry has sent', { error });
	}
}

/** Throws the failure that stops the node, if there is one, with what was sent and what was not. */
function throwFailure(run: Run, results: readonly CallResult[]): void {
	const { context, operation } = run;
	if (isResult({ context, operation })) return;
	const failed = results.flatMap(({ file, parts, itemIndexes }) =>
		[...parts, { itemIndexes, failure: file?.failure }].flatMap((part) =>
			part.failure === undefined ? [] : [{ ...part.failure, itemIndex: part.itemIndexes[0] ?? 0 }],
		),
	);
	// What an earlier try left open comes second: only the others are news.
	const failure = failed.find(({ isEarlier }) => !isEarlier) ?? failed[0];
	if (failure === undefined) return;
	const error = toNodeError(context, failure.cause, failure.itemIndex);
	const readsFiles = results.some(({ file }) => file !== undefined);
	addReport(error, [...reportsOfFiles(results), reportFor(context, run, readsFiles)]);
	throw error;
}

/** What the error that stops the node says about the rows. */
function reportFor(
	context: IExecuteFunctions,
	{ operation, progress, sent }: Started,
	readsFiles = false,
): string {
	return reportOfStop(progress, {
		isRetryable: context.getMode() !== 'integrated',
		reachesPeople: operation.reachesPeople === true,
		isRetry: isRetry({ sent }),
		readsFiles,
	});
}

function addReport(error: { description?: string | null | undefined }, report: readonly string[]) {
	error.description = [error.description, ...report].filter(Boolean).join(' ');
}

/** Whether other retries of the execution may have sent something. */
function isRetry(run: Pick<Run, 'sent'> | undefined): boolean {
	return run?.sent.claims !== undefined;
}

function isCancelled(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal()?.aborted === true;
}

function cancelled(
	context: IExecuteFunctions,
	progress: Progress,
	results: readonly CallResult[] = [],
	isRetried = false,
) {
	const error = new ExecutionCancelled(progress, reportsOfFiles(results), isRetried);
	// n8n does not keep the data of a cancelled execution, so the log says it as well.
	context.logger.warn(`${error.message}. ${error.description}`);
	return toNodeError(context, error, 0);
}

/**
 * Whether n8n takes the node's output for a failure to try again: it looks at the first item only.
 * n8n 1 does so for any value of `error`.
 */
function looksFailed([first]: readonly INodeExecutionData[]): boolean {
	return first?.json.error !== undefined;
}
