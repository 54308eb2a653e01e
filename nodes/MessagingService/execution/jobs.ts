import { attempt, isError, once, sortBy, sortedIndexOf } from 'lodash';
import { Failure } from '../failure';
import { isBlankRow } from '../parameters/inputFields';
import type { OperationInput } from '../parameters/operationInput';
import { isNothing } from '../parameters/values';
import { BLANK_ROW } from '../reason';
import { planRecipients } from '../recipients/plan';
import { readCandidates } from '../recipients/sources';
import { reachesPeople, sendsMessages } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import { mapConcurrently } from '../transport/concurrency';
import { describeJob, describeInvalid, describeMessage } from './dryRun';
import { failed } from './rows';
import { leftOutOf, screenOf } from './leaveOut';
import { rowsOf, type Job, type Planned } from './job';
import { markRun, reachesMany } from './retryOnce';
import { ofRows, sendRequest } from './send';
import { Sequence } from '../transport/sequence';
import { failRecipients, settle } from './settle';
import { Turns } from './turns';
import {
	concurrencyOf,
	inputFor,
	isCanceled,
	isOver,
	jobItems,
	sentBefore,
	stopAfter,
	warnedInputFor,
	type SendingRun,
} from './start';

/** A job, and the run with its credential. */
interface RunJob {
	run: SendingRun;
	job: Job;
}

/**
 * Makes the requests of all jobs, then sends them: what is wrong with any of them is known before
 * the first one goes out.
 * @param runs for each credential; at least one
 */
export async function sendJobs(runs: readonly SendingRun[]): Promise<void> {
	const [first] = runs as [SendingRun];
	const { record, context, operation } = first;
	const jobs = await planJobs(runs);
	const sending = jobs.filter(({ job }) => !job.isDryRun);
	const requests = sending.flatMap(({ job }) => job.requests);
	record?.compare(requests);
	const isSending =
		!isOver(first) &&
		sending.some(({ run, job }) => job.requests.some((each) => isOpen(run, each)));
	if (isSending && reachesMany(requests)) await markRun(context, operation, requests);
	const sequence = new Sequence();
	// A divided list is judged before it is sent: nothing else may be counted meanwhile.
	const isJudged = jobs.some(({ run, job }) => run.policy.isOn && job.requests.length > 1);
	await mapConcurrently(jobs, isJudged ? 1 : concurrencyOf(runs), async ({ run, job }) => {
		await sequence.run(job.requests[0]?.request.changes, async () => doJob(run, job));
	});
}

/**
 * Makes the requests of each job, in the order of the rows. A job whose requests cannot be made fails,
 * with all its rows.
 */
async function planJobs(runs: readonly SendingRun[]): Promise<RunJob[]> {
	const planned: RunJob[] = [];
	const turns = new Turns();
	const all = runs.flatMap((run) => jobItems(run).map((indexes) => ({ run, indexes })));
	for (const { run, indexes } of sortBy(all, ({ indexes: [row] }) => row)) {
		if (isCanceled(run)) break;
		try {
			if (isNobody(run, indexes)) leaveOutBlank(run, indexes);
			else planned.push({ run, job: await planJob(run, indexes) });
		} catch (cause) {
			noteWrittenMessage(run, indexes);
			if (isDryRunOfMessage(run, indexes)) describeInvalid(run, indexes, cause);
			else failJob(run, indexes, cause);
		}
		await turns.give();
	}
	return planned;
}

/** Whether a row of several has nothing but blank cells, and its message no number. */
function isNobody(run: SendingRun, itemIndexes: readonly number[]): boolean {
	const [index = 0] = itemIndexes;
	if (!sendsMessages(run.operation) || run.rows.total === 1) return false;
	if (!isBlankRow(run.context.getInputData()[index]?.json)) return false;
	try {
		return isNothing(inputFor(run, itemIndexes).parameters.value('phoneNumber', 'Phone Number'));
	} catch {
		return true;
	}
}

function leaveOutBlank(run: SendingRun, itemIndexes: readonly number[]): void {
	if (isDryRunOfMessage(run, itemIndexes)) {
		describeInvalid(run, itemIndexes, new Failure(BLANK_ROW.text, ''));
		return;
	}
	const leftOut = { ...BLANK_ROW, place: itemIndexes[0] ?? 0, phoneNumber: undefined };
	run.rows.set(itemIndexes, { sent: 'no', leftOut });
	run.notes.addRows(1, { blank: 1 });
}

/** Whether a row is one message that is not sent, but described. */
function isDryRunOfMessage(run: SendingRun, itemIndexes: readonly number[]): boolean {
	if (!sendsMessages(run.operation)) return false;
	try {
		return inputFor(run, itemIndexes).parameters.read(dryRunField);
	} catch {
		return false;
	}
}

async function planJob(run: SendingRun, itemIndexes: readonly number[]): Promise<Job> {
	const { operation } = run;
	const kind = operation.recipients;
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	const isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	const made = { itemIndexes, isDryRun, warnings };
	noteNumbers(run, input);
	if (kind === undefined) {
		const request = operation.request(input);
		noteMessage(run, itemIndexes, request.body?.message);
		const leftOut = await leftOutOf(run, input, request);
		return { ...made, requests: [{ itemIndexes, request, leftOut }] };
	}
	const plan = planRecipients(kind, input, await screenOf(run, input));
	if (plan.obstacle !== undefined && !isDryRun) throw plan.obstacle;
	const requests = plan.batches.map((batch) => ({
		itemIndexes,
		request: operation.request({ ...input, batch }),
		batch,
	}));
	return { ...made, plan, requests };
}

/**
 * Notes whom the rows are about, also of those that cannot be planned: error items say it, also where
 * n8n adds nothing of the input. What is wrong with the fields of the node is said elsewhere.
 */
function noteNumbers({ operation, kind, rows }: SendingRun, input: OperationInput): void {
	const { recipients } = operation;
	const { itemIndexes, parameters } = input;
	if (sendsMessages(operation)) {
		const number = attempt(() => parameters.value('phoneNumber', 'Phone Number'));
		rows.noteNumbers(itemIndexes, isError(number) ? undefined : number);
	} else if (recipients !== undefined && kind === 'allItems') {
		const candidates = once(() => attempt(() => readCandidates(recipients, input)));
		rows.noteNumbers(itemIndexes, (row: number) => {
			const all = candidates();
			const position = sortedIndexOf(itemIndexes as number[], row);
			return isError(all) ? undefined : all.at(position)[recipients.numberName];
		});
	}
}

function noteMessage(
	{ operation, rows, client }: SendingRun,
	[row]: readonly number[],
	message: unknown,
) {
	if (row === undefined || !sendsMessages(operation)) return;
	rows.noteMessage(row, { message, price: client.settings });
}

/** Of a message that cannot be made: its text as the row has it, if it can be read. */
function noteWrittenMessage(run: SendingRun, itemIndexes: readonly number[]): void {
	if (!sendsMessages(run.operation)) return;
	const { parameters } = inputFor(run, itemIndexes);
	const message = attempt(() => parameters.value('message', 'Message'));
	noteMessage(run, itemIndexes, isError(message) ? undefined : message);
}

/** Fails a job that sends nothing now; an earlier try may have sent some of it. */
export function failJob(run: SendingRun, itemIndexes: readonly number[], cause: unknown): void {
	const result = failed(cause, sentBefore(run, itemIndexes));
	stopAfter(run, result);
	if (run.kind === 'allItems') failRecipients(run.rows, itemIndexes, result);
	else run.rows.set(itemIndexes, result);
}

/** Whether a request was not sent before. */
export function isOpen({ memory }: SendingRun, planned: Planned): boolean {
	return planned.leftOut === undefined && memory?.find(planned) === undefined;
}

async function doJob(run: SendingRun, job: Job): Promise<void> {
	try {
		if (!job.isDryRun) await sendJob(run, job);
		else if (sendsMessages(run.operation)) await describeMessage(run, job);
		else await describeJob(run, job);
	} catch (cause) {
		failJob(run, job.itemIndexes, cause);
	}
}

/**
 * Sends the requests of a job. Those of a divided list are judged by the sending policy before the
 * first one is sent: one refused recipient refuses all that were not sent by an earlier try.
 */
async function sendJob(run: SendingRun, job: Job): Promise<void> {
	const { requests, plan } = job;
	const open = requests.filter((planned) => isOpen(run, planned));
	const refusal = requests.length < 2 ? undefined : await refusalOfAll(run, open);
	const refused = refusal && failed(refusal, 'no');
	if (refused !== undefined) {
		stopAfter(run, refused);
		// Of these rows, each gets its own reason.
		if (plan?.isItems === true) failRecipients(run.rows, open.flatMap(rowsOf), refused);
	}
	const results = await mapConcurrently(requests, run.client.concurrency, async (planned) =>
		refused !== undefined && isOpen(run, planned) ? refused : sendRequest(run, planned),
	);
	settle(run, job, results);
}

/** Why the requests may not all be sent, by the input items of their recipients. */
async function refusalOfAll(
	run: SendingRun,
	open: readonly Planned[],
): Promise<Failure | undefined> {
	const refusal = await run.policy.startReview().refusalOf(open.map(({ request }) => request));
	return refusal && ofRows(refusal, open.flatMap(rowsOf));
}
