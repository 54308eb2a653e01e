import { attempt, isError, once, partition, sortedIndexOf, startCase } from 'lodash';
import { Failure } from '../failure';
import { isBlankRow } from '../parameters/inputFields';
import type { OperationInput } from '../parameters/operationInput';
import { isNothing } from '../parameters/values';
import { BLANK_ROW } from '../reason';
import { sourceOf } from '../recipients/fields';
import { FILE } from '../recipients/fileFields';
import type { RecipientKind } from '../recipients/kind';
import { planRecipients, readRecipientList } from '../recipients/plan';
import { readCandidates } from '../recipients/sources';
import { reachesPeople, sendsMessages } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import { describeUnmade } from './dryRun';
import {
	basisOfList,
	earlierOfItem,
	findEarlier,
	noteMoved,
	reachesMoved,
	receiptsOf,
} from './earlier';
import { planFile, type FileJob } from './file';
import { leftOutOf, campaignScreen } from './leaveOut';
import { nextPart, otherItems } from './ledger';
import { planCampaign } from './planned';
import { NOTHING_EARLIER } from './rows';
import { settleOpen } from './settle';
import { isCanceled, jobItems, warnedInputFor, type CredentialRun, type Job } from './start';
import { Breaks } from '../transport/concurrency';

/**
 * Makes the requests of each job that are left to send, in the order of the rows. A job whose requests
 * cannot be made fails, with all its rows.
 */
export async function planJobs(runs: readonly CredentialRun[]): Promise<(Job | FileJob)[]> {
	const jobs: (Job | FileJob)[] = [];
	const breaks = new Breaks();
	const all = runs.flatMap((run) => jobItems(run).map((itemIndexes) => ({ run, itemIndexes })));
	for (const each of all.sort((a, b) => firstOf(a.itemIndexes) - firstOf(b.itemIndexes))) {
		if (isCanceled(each.run)) break;
		const job = newJob(each);
		try {
			const planned = await planJob(job);
			if (planned !== undefined) jobs.push(planned);
		} catch (cause) {
			settleOpen(job, cause);
		}
		await breaks.take();
	}
	const [moved, others] = partition(jobs, reachesMoved);
	for (const job of moved) settleOpen(job, otherItems());
	return others;
}

const firstOf = (itemIndexes: readonly number[]) => itemIndexes[0] ?? 0;

function newJob({ run, itemIndexes }: Pick<Job, 'run' | 'itemIndexes'>): Job {
	const earlier = NOTHING_EARLIER;
	return { run, itemIndexes, isDryRun: false, warnings: [], requests: [], earlier };
}

/** @returns undefined where nothing is left to send */
async function planJob(job: Job): Promise<Job | FileJob | undefined> {
	const { run, itemIndexes } = job;
	const { operation, context } = run;
	const { recipients: kind } = operation;
	const input = warnedInputFor(job);
	noteWhom(run, input);
	const earlier = kind === undefined ? earlierOfItem(run, input) : undefined;
	if (earlier !== undefined) {
		run.rows.set(itemIndexes, earlier);
		return undefined;
	}
	job.isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	if (kind === undefined) return await planSingle(job, input);
	return sourceOf(kind, context) === FILE
		? await planFile(job, kind, input)
		: await planList(job, kind, input);
}

/** The request of one input item. @returns undefined where it has its outcome without any */
async function planSingle(job: Job, input: OperationInput): Promise<Job | undefined> {
	const { run, itemIndexes, isDryRun } = job;
	if (isNobody(run, input)) return leaveOutBlank(job);
	try {
		const request = run.operation.request(input);
		noteMessage(run, input, request.body?.message);
		const leftOut = await leftOutOf(run, input, request);
		return { ...job, requests: [{ itemIndexes, request, leftOut, clientKey: run.clientKey }] };
	} catch (cause) {
		if (!isDryRun || !sendsMessages(run.operation)) throw Failure.of(cause);
		describeUnmade(job, Failure.of(cause));
		return undefined;
	}
}

/** Whether a row of several has nothing but blank cells, and its message no number. */
function isNobody({ operation, rows, context }: CredentialRun, input: OperationInput): boolean {
	if (!sendsMessages(operation) || rows.total === 1) return false;
	if (!isBlankRow(context.getInputData()[firstOf(input.itemIndexes)]?.json)) return false;
	return isNothing(written(input, 'phoneNumber'));
}

function leaveOutBlank(job: Job): undefined {
	const { run, itemIndexes } = job;
	const complaint = { ...BLANK_ROW, place: firstOf(itemIndexes), phoneNumber: undefined };
	if (job.isDryRun) {
		describeUnmade(job, complaint);
		return;
	}
	run.rows.leaveOut(complaint);
	run.hints.addLeftOut(0, { blank: 1 });
}

/** Divides a list, but for those whom earlier tries have reached, into the requests of its job. */
async function planList(job: Job, kind: RecipientKind, input: OperationInput): Promise<Job> {
	const { run, itemIndexes, isDryRun } = job;
	const receipts = receiptsOf(run, itemIndexes);
	const list = attempt(() => readRecipientList(kind, input));
	if (isError(list)) {
		noteMoved(run, receipts);
		throw list;
	}
	// Also for the case that none of the others is sent.
	job.earlier = findEarlier(run, receipts, list);
	const screen = await campaignScreen(run, input);
	const firstPart = nextPart(receipts);
	const plan = planRecipients(list, { screen, earlier: job.earlier.places, firstPart });
	const { obstacle } = plan;
	if (obstacle !== undefined && obstacle.facts.isLeftOut !== true && !isDryRun) throw obstacle;
	const basis = basisOfList(run, list);
	const requests = plan.blocks.map((block) => planCampaign(run, input, block, { basis }));
	return { ...job, plan, requests };
}

/**
 * Notes whom the rows are about, also of those that cannot be planned: error items say it, also where
 * n8n adds nothing of the input. What is wrong with the fields of the node is said elsewhere.
 */
function noteWhom(run: CredentialRun, input: OperationInput): void {
	const { recipients } = run.operation;
	const { itemIndexes } = input;
	if (sendsMessages(run.operation)) noteMessage(run, input, written(input, 'message'));
	else if (recipients !== undefined && run.kind === 'allItems') {
		const candidates = once(() => attempt(() => readCandidates(recipients, input)));
		run.rows.noteNumbers((row) => {
			const all = candidates();
			const position = sortedIndexOf(itemIndexes as number[], row);
			return isError(all) ? undefined : all.at(position)[recipients.numberName];
		});
	}
}

function noteMessage(
	{ operation, rows, client }: CredentialRun,
	input: OperationInput,
	message: unknown,
) {
	if (!sendsMessages(operation)) return;
	const phoneNumber = written(input, 'phoneNumber');
	// A code, for example, is sent as its digits.
	const text = typeof message === 'number' ? String(message) : message;
	const price = client.settings;
	rows.noteMessage(firstOf(input.itemIndexes), { phoneNumber, message: text, price });
}

/** A field as the row has it; undefined where it cannot be read. */
function written({ parameters }: OperationInput, name: 'phoneNumber' | 'message'): unknown {
	const value = attempt(() => parameters.value(name, startCase(name)));
	return isError(value) ? undefined : value;
}
