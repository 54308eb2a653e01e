import { attempt, isError, once, partition, sortedIndexOf, startCase } from 'lodash';
import { Failure } from '../failure';
import { isBlankRow } from '../parameters/inputFields';
import type { OperationInput } from '../parameters/operationInput';
import { isNothing } from '../parameters/values';
import { numbersIn } from '../reach';
import { BLANK_ROW, type Complaint, type Screen, type StartScreen } from '../reason';
import { readDoNotContact } from '../recipients/doNotContactOptions';
import { outsideHours, readRecipientOptions, sourceOf } from '../recipients/fields';
import { readFileSource } from '../recipients/file/source';
import { FILE } from '../recipients/fileFields';
import type { RecipientKind } from '../recipients/kind';
import { planRecipients, readRecipientList } from '../recipients/plan';
import { columnChoices, readCandidates } from '../recipients/sources';
import { reachesPeople, sendsMessages } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import type { PostRequest } from '../transport/request';
import { describeInvalid } from './dryRun';
import {
	basisOf,
	earlierOfItem,
	findEarlier,
	noteMoved,
	reachesMoved,
	receiptsOf,
} from './earlier';
import type { FileJob } from './file';
import { nextPart, otherItems } from './ledger';
import { planCampaign } from './planned';
import { settleOpen } from './settle';
import { isCanceled, jobItems, warnedInputFor, type AccountRun, type Job } from './start';
import { Turns } from '../transport/concurrency';

/**
 * Makes the requests of each job that are left to send, in the order of the rows. A job whose requests
 * cannot be made fails, with all its rows.
 */
export async function planJobs(runs: readonly AccountRun[]): Promise<(Job | FileJob)[]> {
	const jobs: (Job | FileJob)[] = [];
	const turns = new Turns();
	const all = runs.flatMap((run) => jobItems(run).map((indexes) => ({ run, indexes })));
	for (const { run, indexes } of all.sort((a, b) => firstOf(a.indexes) - firstOf(b.indexes))) {
		if (isCanceled(run)) break;
		try {
			const job = await planJob(run, indexes);
			if (job !== undefined) jobs.push(job);
		} catch (cause) {
			settleOpen(run, indexes, cause);
		}
		await turns.give();
	}
	const [moved, others] = partition(jobs, reachesMoved);
	for (const { run, itemIndexes } of moved) settleOpen(run, itemIndexes, otherItems());
	return others;
}

const firstOf = (itemIndexes: readonly number[]) => itemIndexes[0] ?? 0;

/** @returns undefined where nothing is left to send */
async function planJob(
	run: AccountRun,
	itemIndexes: readonly number[],
): Promise<Job | FileJob | undefined> {
	const { operation, context } = run;
	const { recipients: kind } = operation;
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	noteWhom(run, input);
	const earlier = kind === undefined ? earlierOfItem(run, input) : undefined;
	if (earlier !== undefined) {
		run.rows.set(itemIndexes, earlier);
		return undefined;
	}
	const isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	const job: Job = { run, itemIndexes, isDryRun, warnings, requests: [], earlier: [] };
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
		return { ...job, requests: [{ itemIndexes, request, leftOut, account: run.accountKey }] };
	} catch (cause) {
		if (!isDryRun || !sendsMessages(run.operation)) throw Failure.of(cause);
		describeInvalid(job, cause);
		return undefined;
	}
}

/** Whether a row of several has nothing but blank cells, and its message no number. */
function isNobody({ operation, rows, context }: AccountRun, input: OperationInput): boolean {
	if (!sendsMessages(operation) || rows.total === 1) return false;
	if (!isBlankRow(context.getInputData()[firstOf(input.itemIndexes)]?.json)) return false;
	return isNothing(written(input, 'phoneNumber'));
}

function leaveOutBlank(job: Job): undefined {
	const { run, itemIndexes } = job;
	if (job.isDryRun) {
		describeInvalid(job, new Failure(BLANK_ROW.text, ''));
		return;
	}
	run.rows.leaveOut({ ...BLANK_ROW, place: firstOf(itemIndexes), phoneNumber: undefined });
	run.notes.addLeftOut(0, { blank: 1 });
}

async function planFile(job: Job, kind: RecipientKind, input: OperationInput): Promise<FileJob> {
	const { run, itemIndexes } = job;
	const receipts = receiptsOf(run, itemIndexes);
	const sentRows = new Set<number>();
	for (const { places } of receipts) for (const row of places) sentRows.add(row);
	const recipients = {
		kind,
		source: readFileSource(input),
		options: readRecipientOptions(kind, input),
		choices: columnChoices(kind, input),
		sentRows,
		screen: await screenOf(run, input),
	};
	return { ...job, input, recipients, receipts };
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
	const earlier = findEarlier(run, receipts, list);
	const screen = await screenOf(run, input);
	const firstPart = nextPart(receipts);
	const plan = planRecipients(list, { screen, earlier: earlier.places, firstPart });
	const { obstacle } = plan;
	if (obstacle !== undefined && obstacle.facts.isLeftOut !== true && !isDryRun) throw obstacle;
	const basis = basisOf(run, list);
	const requests = plan.batches.map((batch) => planCampaign(run, input, batch, { basis }));
	return { ...job, plan, requests, earlier: earlier.results };
}

/**
 * Notes whom the rows are about, also of those that cannot be planned: error items say it, also where
 * n8n adds nothing of the input. What is wrong with the fields of the node is said elsewhere.
 */
function noteWhom(run: AccountRun, input: OperationInput): void {
	const { recipients } = run.operation;
	const { itemIndexes } = input;
	if (sendsMessages(run.operation)) noteMessage(run, input, written(input, 'message'));
	else if (recipients !== undefined && run.kind === 'allItems') {
		const candidates = once(() => attempt(() => readCandidates(recipients, input)));
		run.rows.noteNumbers((row) => {
			const all = candidates();
			const position = sortedIndexOf(itemIndexes as number[], row);
			return isError(all) || position < 0 ? undefined : all.at(position)[recipients.numberName];
		});
	}
}

function noteMessage(
	{ operation, rows, client }: AccountRun,
	input: OperationInput,
	message: unknown,
) {
	if (!sendsMessages(operation)) return;
	const phoneNumber = written(input, 'phoneNumber');
	rows.noteMessage(firstOf(input.itemIndexes), { phoneNumber, message, price: client.settings });
}

/** A field as the row has it; undefined where it cannot be read. */
function written({ parameters }: OperationInput, name: 'phoneNumber' | 'message'): unknown {
	const value = attempt(() => parameters.value(name, startCase(name)));
	return isError(value) ? undefined : value;
}

/**
 * What decides about the recipients of a campaign beside their own values: the do-not-contact lists,
 * other texts within the hours of the policy, and the sending hours where those outside of them are
 * skipped.
 * @returns undefined where nothing does
 * @throws Failure for options that are wrong; what reading the stored numbers and the messages throws
 */
async function screenOf(run: AccountRun, input: OperationInput): Promise<StartScreen | undefined> {
	const { policy, operation } = run;
	const isBlocked = await blockedBy(run, input);
	// When it reaches people: its request says so, not its recipients.
	const emptyRequest = () =>
		operation.request({
			...input,
			batch: { recipients: [], itemIndexes: input.itemIndexes, part: 1 },
		});
	const skipsOutsideHours = input.parameters.member('options', outsideHours) === 'skip';
	const startOfPolicy = await policy.screenOfList(emptyRequest, { skipsOutsideHours });
	if (isBlocked === undefined) return startOfPolicy;
	return () => {
		const screen = startOfPolicy?.();
		return (number) => isBlocked(number) ?? screen?.(number);
	};
}

/** Why the one recipient of a message is left out. The policy is asked when its turn comes. */
async function leftOutOf(
	run: AccountRun,
	input: OperationInput,
	{ reaches }: PostRequest,
): Promise<Complaint | undefined> {
	const [phoneNumber] = numbersIn(reaches) ?? [];
	if (phoneNumber === undefined) return undefined;
	const reason = (await blockedBy(run, input))?.(phoneNumber);
	return (
		reason && { ...reason, place: input.itemIndexes[0] ?? 0, phoneNumber: String(phoneNumber) }
	);
}

/** The do-not-contact lists of the node's options. */
async function blockedBy(
	{ notes }: AccountRun,
	input: OperationInput,
): Promise<Screen | undefined> {
	return await readDoNotContact({
		...input,
		noteUnreadable: (storageIds) => notes.addUnreadable(storageIds),
	});
}
