import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	isChanging,
	reachesPeople,
	sendsMessages,
	type ReadingOperation,
} from '../resources/operation';
import { mapConcurrently, Sequence, Breaks } from '../transport/concurrency';
import { describeJob, describeMessage } from './dryRun';
import { doFile, type FileJob } from './file';
import { itemsOf } from './items';
import { markRun, reachesMany, unmarkRuns } from './killedRuns';
import { countTry, flowMemory, isRetry } from './memory';
import { planJobs } from './planJobs';
import { rowsOf } from './planned';
import { canceledError, stoppedError } from './nodeError';
import { claimRetry } from './retryOnce';
import { failedResult, Rows, type Result } from './rows';
import { isToSend, atRows, sendRequest } from './send';
import { settle, settleOpen } from './settle';
import {
	concurrencyOf,
	inputFor,
	isCanceled,
	isOver,
	isTool,
	jobItems,
	prepareRuns,
	startRun,
	type CredentialRun,
	type Run,
	type Job,
} from './start';

/**
 * One run of the action node: turns input items into jobs of the chosen operation, one job per
 * item or one for all of them, and the outcome of each item into output items.
 *
 * Where the node continues on errors, nothing is thrown but the cancellation: n8n would pass the
 * input items out of the success branch.
 */
export async function runNode(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const rows = new Rows(context.getInputData().length);
	let run: Run | undefined;
	let cause: unknown;
	try {
		run = startRun(context, rows);
		// Whether it sends or not, the first node of an execution notes which one it is.
		flowMemory(context);
		if (run.isSending) await claimRetry(context);
		const runs = await prepareRuns(run);
		if (isChanging(run.operation)) await sendJobs(run, runs as CredentialRun[]);
		else await read(runs as CredentialRun<ReadingOperation>[]);
		showHints(run);
	} catch (thrown) {
		cause = thrown;
	}
	settleOthers(context, rows, run, cause);
	if (isCanceled({ context })) {
		// Retry On Fail may have another try.
		run?.ledger?.save();
		throw canceledError(context, rows, run === undefined || reachesPeople(run.operation));
	}
	return [await outputOrFailure(context, rows, run)];
}

/**
 * Makes the requests of all jobs, then sends them: what is wrong with any of them is known before
 * the first one goes out.
 * @param runs for each credential
 */
async function sendJobs(run: Run, runs: readonly CredentialRun[]): Promise<void> {
	const jobs = await planJobs(runs);
	await markIfMany(run, jobs);
	const sequence = new Sequence();
	// A file or divided list is judged before it is sent: nothing else may be counted meanwhile.
	const isOneByOne = jobs.some((job) => isFile(job) || job.requests.length > 1);
	await mapConcurrently(jobs, isOneByOne ? 1 : concurrencyOf(runs), async (job) => {
		await sequence.run(job.requests[0]?.request.changes, async () => doJob(job));
	});
}

/** Marks a run that reaches many people before its first request. A file is marked when it is sent. */
async function markIfMany(run: Run, jobs: readonly Job[]): Promise<void> {
	const { context, ledger } = run;
	const sending = jobs.filter(({ isDryRun }) => !isDryRun);
	const isAnyToSend = sending.some((job) =>
		job.requests.some((planned) => isToSend(job.run, planned)),
	);
	if (isOver(run) || !isAnyToSend) return;
	const requests = sending.flatMap((job) => job.requests);
	if (reachesMany(requests, ledger?.reached ?? 0)) await markRun(context, requests);
}

const isFile = (job: Job | FileJob): job is FileJob => 'reading' in job;

async function doJob(job: Job | FileJob): Promise<void> {
	const { run, isDryRun } = job;
	try {
		if (isFile(job)) await doFile(job);
		else if (!isDryRun) await sendJob(job);
		else if (sendsMessages(run.operation)) await describeMessage(job);
		else await describeJob(job);
	} catch (cause) {
		settleOpen(job, cause);
	}
}

/** Sends the requests of a job: those of a divided list only if the sending policy refuses none of them. */
async function sendJob(job: Job): Promise<void> {
	const { run, requests } = job;
	const refused = requests.length < 2 ? undefined : await refusedAsWhole(job);
	const results = await mapConcurrently(requests, run.client.concurrency, async (planned) =>
		refused !== undefined && isToSend(run, planned) ? refused : sendRequest(run, planned),
	);
	settle(job, results);
}

/**
 * What a divided list comes to if the sending policy refuses any of its recipients, but for what was
 * sent before.
 */
async function refusedAsWhole({ run, requests }: Job): Promise<Result | undefined> {
	const toSend = requests.filter((planned) => isToSend(run, planned));
	const refusal = await run.policy.rehearse(toSend.map(({ request }) => request));
	// Each request leaves out its own.
	if (refusal === undefined || refusal.facts.isLeftOut) return undefined;
	return failedResult(atRows(refusal, toSend.flatMap(rowsOf)), 'no');
}

async function read(runs: readonly CredentialRun<ReadingOperation>[]): Promise<void> {
	const breaks = new Breaks();
	const reads = runs.flatMap((run) => jobItems(run).map((itemIndexes) => ({ run, itemIndexes })));
	await mapConcurrently(reads, concurrencyOf(runs), async ({ run, itemIndexes }) => {
		const { operation, rows, hints } = run;
		await breaks.take();
		if (isOver(run)) return;
		try {
			const input = inputFor(run, itemIndexes);
			const result = await operation.run({ ...input, noteCut: (cut) => hints.addCut(cut) });
			rows.set(itemIndexes, { sent: 'no', records: Array.isArray(result) ? result : [result] });
		} catch (cause) {
			rows.set(itemIndexes, failedResult(cause, 'no'));
		}
	});
}

/**
 * Notes the rows without an outcome: the run was stopped before it came to them, or failed as a whole.
 * @param cause of such a failure
 */
function settleOthers(
	context: IExecuteFunctions,
	rows: Rows,
	run: Run | undefined,
	cause: unknown,
): void {
	const open = rows.all.filter((row) => rows.outcomeOf(row) === undefined);
	// Without a record, it is not known what other tries have sent.
	const unknown = isRetry(context) ? 'possibly' : 'no';
	if (run === undefined) rows.set(open, failedResult(cause, unknown));
	else if (run.kind === 'allItems') settleOpen({ run, itemIndexes: open }, cause);
	else for (const row of open) settleOpen({ run, itemIndexes: [row] }, cause);
}

/**
 * The output of a run, or its end.
 * @throws the failure that stops the node, if there is one, with what was sent and what was not
 */
async function outputOrFailure(
	context: IExecuteFunctions,
	rows: Rows,
	run: Run | undefined,
): Promise<INodeExecutionData[]> {
	const { operation, ledger, failuresAreItems = context.continueOnFail() } = run ?? {};
	const stopping = failuresAreItems ? undefined : rows.firstFailed();
	const items = stopping === undefined ? await itemsOf(context, rows, run ?? {}) : [];
	const isLast = !countTry(context, stopping !== undefined || looksFailed(items));
	// n8n might be killed before the next try.
	if (isLast) await unmarkRuns(context);
	if (stopping === undefined && isLast) ledger?.clear();
	else ledger?.save();
	if (stopping !== undefined) {
		// What earlier tries have done is not known, and may have reached people.
		const isUnknown = operation === undefined && isRetry(context);
		const mayReach = isUnknown || (operation !== undefined && reachesPeople(operation));
		throw stoppedError(context, rows, stopping, mayReach);
	}
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
function showHints({ context, hints, rows }: Run): void {
	if (!isTool(context) && 'addExecutionHints' in context) {
		const isSent = rows.inState('no').length < rows.total;
		context.addExecutionHints(...hints.toShow(rows.total, isSent));
	}
}
