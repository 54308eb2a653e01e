import type { Failure } from '../failure';
import { sendsMessages } from '../resources/operation';
import { mapConcurrently } from '../transport/concurrency';
import { Sequence } from '../transport/sequence';
import { describeJob, describeMessage } from './dryRun';
import { doFile } from './file';
import { rowsOf, type Job, type PlannedRequest } from './job';
import { planJobs, type RunJob } from './planJobs';
import { markRun, reachesMany } from './retryOnce';
import { failedResult } from './rows';
import { isOpen, ofRows, sendRequest } from './send';
import { failJob, failRecipients, settle } from './settle';
import { concurrencyOf, isOver, haltAfter, type SendingRun } from './start';

/**
 * Makes the requests of all jobs, then sends them: what is wrong with any of them is known before
 * the first one goes out.
 * @param runs for each credential; at least one
 */
export async function sendJobs(runs: readonly SendingRun[]): Promise<void> {
	const [first] = runs as [SendingRun];
	const { context, operation } = first;
	const { jobs, earlier } = await planJobs(runs);
	const sending = jobs.filter(({ job }) => !job.isDryRun);
	const requests = sending.flatMap(({ job }) => job.requests);
	const isSending =
		!isOver(first) &&
		sending.some(({ run, job }) => job.requests.some((each) => isOpen(run, each)));
	if (isSending && reachesMany(requests, earlier)) {
		await markRun(context, operation, requests, earlier);
	}
	const sequence = new Sequence();
	// A divided list is judged before it is sent: nothing else may be counted meanwhile.
	const isJudged = jobs.some(({ run, job }) => run.policy.isOn && job.requests.length > 1);
	const isOneByOne = isJudged || jobs.some(({ file }) => file !== undefined);
	await mapConcurrently(jobs, isOneByOne ? 1 : concurrencyOf(runs), async (each) => {
		await sequence.run(each.job.requests[0]?.request.changes, async () => doJob(each));
	});
}

async function doJob({ run, job, file }: RunJob): Promise<void> {
	try {
		if (file !== undefined) await doFile(job, file);
		else if (!job.isDryRun) await sendJob(run, job);
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
	const refused = refusal && failedResult(refusal, 'no');
	if (refused !== undefined) {
		haltAfter(run, refused);
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
	open: readonly PlannedRequest[],
): Promise<Failure | undefined> {
	const refusal = await run.policy.rehearse(open.map(({ request }) => request));
	return refusal && ofRows(refusal, open.flatMap(rowsOf));
}
