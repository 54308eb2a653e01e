import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../resources';
import type { Operation, OperationCall } from '../resources/operation';
import { fieldLabels } from '../resources/define';
import { InputError } from '../resources/shared/inputError';
import { readMapping } from '../resources/shared/mapping';
import { ParameterReader, RunParameters } from '../resources/shared/parameters';
import { readRequestOptions } from '../resources/shared/requestOptions';
import { mapConcurrently } from '../transport/concurrency';
import { connect } from '../transport/connection';
import { makeCall, readsFile, type CallResult } from './calls';
import type { Run } from './runState';
import { ExecutionCancelled } from './cancellation';
import { toNodeError } from './errorItems';
import { showHints } from './hints';
import { Output } from './output';
import { isOver, isResult } from './parts';
import { reportsOfFiles } from './fileReports';
import { Progress } from './progress';
import { hasEarlierTries, SentRecord } from './sentRecord';
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
	const total = context.getInputData().length;
	const progress = new Progress(total);
	const output = new Output(context);
	let run: Run;
	let operation: Operation | undefined;
	try {
		operation = operationOf(context);
		run = await prepare(context, operation, progress);
	} catch (cause) {
		if (isCancelled(context)) throw cancelled(context, progress);
		if (!context.continueOnFail()) throw toNodeError(context, cause, 0);
		const isCertain = operation?.reachesPeople !== true || !hasEarlierTries(context);
		return [output.ofFailedRun(cause, total, isCertain)];
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

/** The operation that the user has chosen. @throws InputError where there is none */
function operationOf(context: IExecuteFunctions): Operation {
	const { resource, name } = namesOf(context);
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new InputError(
		'Operation',
		`"${name}" of the resource "${resource}" does not exist`,
		'Select the resource and the operation again.',
	);
}

function namesOf(context: IExecuteFunctions) {
	const resource = context.getNodeParameter('resource', 0) as string;
	return { resource, name: context.getNodeParameter('operation', 0) as string };
}

/** Reads what holds for the whole run. @throws where any of it is wrong: nothing is sent then */
async function prepare(
	context: IExecuteFunctions,
	operation: Operation,
	progress: Progress,
): Promise<Run> {
	const { resource, name } = namesOf(context);
	const kind = typeof operation.kind === 'function' ? operation.kind(context) : operation.kind;
	const options = readRequestOptions(context);
	const { concurrency } = options;
	const recorded = {
		name: `${resource} ${name} ${kind}`,
		reachesPeople: operation.reachesPeople === true,
	};
	const sent = new SentRecord(context, recorded, progress, concurrency);
	return {
		context,
		operation,
		kind,
		connection: await connect(context, fieldLabels(operation), options),
		parameters: new RunParameters(context, readMapping(context, operation.mappable)),
		concurrency,
		progress,
		sent,
		isStopped: false,
	};
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
async function finishClaims({ context, sent }: Run): Promise<void> {
	try {
		await sent.claims?.finish();
	} catch (error) {
		// They take what they do not know for possibly sent.
		context.logger.warn('Could not store which items this retry has sent', { error });
	}
}

/** Throws the failure that stops the node, if there is one, with what was sent and what was not. */
function throwFailure(
	{ context, operation, progress, sent }: Run,
	results: readonly CallResult[],
): void {
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
	const report = reportOfStop(progress, {
		isRetryable: context.getMode() !== 'integrated',
		reachesPeople: operation.reachesPeople === true,
		isRetry: isRetry({ sent }),
		readsFiles: results.some(({ file }) => file !== undefined),
	});
	error.description = [error.description, ...reportsOfFiles(results), report]
		.filter(Boolean)
		.join(' ');
	throw error;
}

/** Whether other retries of the execution may have sent something. */
function isRetry({ sent }: Pick<Run, 'sent'>): boolean {
	return sent.claims !== undefined;
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
