import { attempt, isError, once, sortedIndexOf } from 'lodash';
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
	resultOfReceipt,
	unclearEntries,
	withoutMoved,
} from './earlier';
import type { FileJob } from './file';
import { nextPart } from './ledger';
import { planCampaign, type PlannedRequest } from './planned';
import { failedResult } from './rows';
import { failJob, resultOfList, type Job } from './settle';
import { inputFor, isCanceled, jobItems, warnedInputFor, type AccountRun } from './start';
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
			noteWrittenMessage(run, indexes);
			if (isDryRunOfMessage(run, indexes)) describeInvalid(run, indexes, cause);
			else failJob(run, indexes, cause);
		}
		await turns.give();
	}
	return withoutMoved(jobs);
}

const firstOf = (itemIndexes: readonly number[]) => itemIndexes[0] ?? 0;

/** Whether a row of several has nothing but blank cells, and its message no number. */
function isNobody(
	{ operation, rows, context }: AccountRun,
	{ parameters, itemIndexes }: OperationInput,
): boolean {
	if (!sendsMessages(operation) || rows.total === 1) return false;
	if (!isBlankRow(context.getInputData()[firstOf(itemIndexes)]?.json)) return false;
	const number = attempt(() => parameters.value('phoneNumber', 'Phone Number'));
	return isError(number) || isNothing(number);
}

function leaveOutBlank(run: AccountRun, itemIndexes: readonly number[]): void {
	if (isDryRunOfMessage(run, itemIndexes)) {
		describeInvalid(run, itemIndexes, new Failure(BLANK_ROW.text, ''));
		return;
	}
	const leftOut = { ...BLANK_ROW, place: firstOf(itemIndexes), phoneNumber: undefined };
	run.rows.set(itemIndexes, { sent: 'no', leftOut });
	run.notes.addLeftOut(0, { blank: 1 });
}

/** Whether a row is one message that is not sent, but described. */
function isDryRunOfMessage(run: AccountRun, itemIndexes: readonly number[]): boolean {
	if (!sendsMessages(run.operation)) return false;
	try {
		return inputFor(run, itemIndexes).parameters.read(dryRunField);
	} catch {
		return false;
	}
}

/** @returns undefined where nothing is left to send */
async function planJob(
	run: AccountRun,
	itemIndexes: readonly number[],
): Promise<Job | FileJob | undefined> {
	const { operation, context } = run;
	const { recipients: kind } = operation;
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	noteNumbers(run, input);
	if (kind === undefined && isSettled(run, input)) return undefined;
	const isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	const job: Job = { run, itemIndexes, isDryRun, warnings, requests: [], earlier: [] };
	if (kind === undefined) return { ...job, requests: [await planRequest(run, input)] };
	return sourceOf(kind, context) === FILE
		? await planFile(job, kind, input)
		: await planList(job, kind, input);
}

/** Whether an input item has its outcome before its request is made: it was sent before, or is blank. */
function isSettled(run: AccountRun, input: OperationInput): boolean {
	const { itemIndexes } = input;
	const earlier = earlierOfItem(run, input);
	if (earlier !== undefined) run.rows.set(itemIndexes, earlier);
	else if (isNobody(run, input)) leaveOutBlank(run, itemIndexes);
	else return false;
	return true;
}

async function planRequest(run: AccountRun, input: OperationInput): Promise<PlannedRequest> {
	const { itemIndexes } = input;
	const request = run.operation.request(input);
	noteMessage(run, itemIndexes, request.body?.message);
	const leftOut = await leftOutOf(run, input, request);
	return { itemIndexes, request, leftOut, account: run.accountKey };
}

async function planFile(job: Job, kind: RecipientKind, input: OperationInput): Promise<FileJob> {
	const { run, itemIndexes } = job;
	const receipts = run.ledger?.of(firstOf(itemIndexes)) ?? [];
	const sent = new Set(receipts.flatMap(({ places }) => places));
	const recipients = {
		kind,
		source: readFileSource(input),
		options: readRecipientOptions(kind, input),
		choices: columnChoices(kind, input),
		isSent: (row: number) => sent.has(row),
		screen: await screenOf(run, input),
	};
	const earlier = receipts.map((each) => resultOfReceipt(run.operation, each));
	return { ...job, input, recipients, receipts, earlier };
}

/** Divides a list, but for those whom earlier tries have reached, into the requests of its job. */
async function planList(job: Job, kind: RecipientKind, input: OperationInput): Promise<Job> {
	const { run, itemIndexes, isDryRun } = job;
	const { operation, ledger } = run;
	const isItems = run.kind === 'allItems';
	const receipts = (isItems ? ledger?.earlier : ledger?.of(firstOf(itemIndexes))) ?? [];
	const earlier = isItems ? [] : receipts.map((each) => resultOfReceipt(operation, each));
	try {
		const list = readRecipientList(kind, input);
		const basis = basisOf(run, list);
		const places = findEarlier(run, receipts, list, basis);
		const unclear = [...places.keys()].filter((place) => places.get(place) === 'differs');
		if (!isItems && unclear.length > 0) earlier.push(unclearEntries(unclear));
		const plan = planRecipients(list, {
			screen: await screenOf(run, input),
			earlier: places,
			firstPart: nextPart(receipts),
		});
		const { obstacle } = plan;
		if (obstacle !== undefined && obstacle.facts.isLeftOut !== true && !isDryRun) throw obstacle;
		const requests = plan.batches.map((batch) => ({ ...planCampaign(run, input, batch), basis }));
		return { ...job, plan, requests, earlier };
	} catch (cause) {
		if (earlier.length === 0) throw Failure.of(cause);
		run.rows.set(itemIndexes, resultOfList([...earlier, failedResult(cause, 'possibly')]));
		return job;
	}
}

/**
 * Notes whom the rows are about, also of those that cannot be planned: error items say it, also where
 * n8n adds nothing of the input. What is wrong with the fields of the node is said elsewhere.
 */
function noteNumbers({ operation, kind, rows }: AccountRun, input: OperationInput): void {
	const { recipients } = operation;
	const { itemIndexes, parameters } = input;
	if (sendsMessages(operation)) {
		const number = attempt(() => parameters.value('phoneNumber', 'Phone Number'));
		rows.noteNumber(itemIndexes[0] ?? 0, isError(number) ? undefined : number);
	} else if (recipients !== undefined && kind === 'allItems') {
		const candidates = once(() => attempt(() => readCandidates(recipients, input)));
		rows.noteNumbers((row) => {
			const all = candidates();
			const position = sortedIndexOf(itemIndexes as number[], row);
			return isError(all) || position < 0 ? undefined : all.at(position)[recipients.numberName];
		});
	}
}

function noteMessage(
	{ operation, rows, client }: AccountRun,
	[row]: readonly number[],
	message: unknown,
) {
	if (row === undefined || !sendsMessages(operation)) return;
	rows.noteMessage(row, { message, price: client.settings });
}

/** Of a message that cannot be made: its text as the row has it, if it can be read. */
function noteWrittenMessage(run: AccountRun, itemIndexes: readonly number[]): void {
	if (!sendsMessages(run.operation)) return;
	const { parameters } = inputFor(run, itemIndexes);
	const message = attempt(() => parameters.value('message', 'Message'));
	noteMessage(run, itemIndexes, isError(message) ? undefined : message);
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
