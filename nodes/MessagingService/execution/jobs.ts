import type { Failure } from '../failure';
import { planRecipients } from '../recipients/plan';
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
	inputFor,
	isCanceled,
	isOver,
	sentBefore,
	stopAfter,
	warnedInputFor,
	type SendingRun,
} from './start';

/**
 * Makes the requests of all jobs, then sends them: what is wrong with any of them is known before
 * the first one goes out.
 * @param itemIndexes the input items of each job
 */
export async function sendJobs(
	run: SendingRun,
	itemIndexes: readonly (readonly number[])[],
): Promise<void> {
	const jobs = await planJobs(run, itemIndexes);
	const sending = jobs.filter(({ isDryRun }) => !isDryRun);
	const requests = sending.flatMap((job) => job.requests);
	run.record?.compare(requests);
	const isSending = !isOver(run) && requests.some((each) => isOpen(run, each));
	if (isSending && reachesMany(requests)) {
		await markRun(run.context, run.operation, requests);
	}
	const sequence = new Sequence();
	// A divided list is judged before it is sent: nothing else may be counted meanwhile.
	const isJudged = run.policy.isOn && jobs.some(({ requests: { length } }) => length > 1);
	await mapConcurrently(jobs, isJudged ? 1 : run.client.concurrency, async (job) => {
		await sequence.run(job.requests[0]?.request.changes, async () => doJob(run, job));
	});
}

/** Makes the requests of each job. A job whose requests cannot be made fails, with all its rows. */
async function planJobs(
	run: SendingRun,
	itemIndexes: readonly (readonly number[])[],
): Promise<Job[]> {
	const jobs: Job[] = [];
	const turns = new Turns();
	for (const indexes of itemIndexes) {
		if (isCanceled(run)) break;
		try {
			jobs.push(await planJob(run, indexes));
		} catch (cause) {
			if (isDryRunOfMessage(run, indexes)) describeInvalid(run, indexes, cause);
			else failJob(run, indexes, cause);
		}
		await turns.give();
	}
	return jobs;
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
	if (kind === undefined) {
		const request = operation.request(input);
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
