import { attempt, isError, once, sortedIndexOf } from 'lodash';
import { Failure } from '../failure';
import { isBlankRow } from '../parameters/inputFields';
import type { Batch, OperationInput } from '../parameters/operationInput';
import { isNothing } from '../parameters/values';
import { numbersIn } from '../reach';
import { BLANK_ROW, type Complaint, type Screen, type StartScreen } from '../reason';
import { readDoNotContact } from '../recipients/doNotContactOptions';
import { outsideHours, sourceOf } from '../recipients/fields';
import { FILE } from '../recipients/fileFields';
import { planRecipients, readRecipientList } from '../recipients/plan';
import { readCandidates } from '../recipients/sources';
import { reachesPeople, sendsMessages } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import type { PostRequest } from '../transport/request';
import { describeInvalid } from './dryRun';
import {
	earlierOfList,
	findEarlier,
	indexOfEntries,
	ofOtherItem,
	settleSingles,
	traceOfEntries,
} from './earlier';
import { readFileJob, type FileJob } from './file';
import { traceOf } from './planned';
import { failedResult } from './rows';
import { failJob, ofOneRow, type Job } from './settle';
import {
	inputFor,
	isCanceled,
	jobItems,
	haltAfter,
	warnedInputFor,
	type SendingRun,
} from './start';
import { Turns } from '../transport/concurrency';

/** All jobs, planned. */
export interface Planning {
	jobs: (Job | FileJob)[];
	/** The people whom earlier tries have reached, or possibly reached. */
	earlier: unknown[];
}

/**
 * Makes the requests of each job that are left to send, in the order of the rows. A job whose requests
 * cannot be made fails, with all its rows.
 */
export async function planJobs(runs: readonly SendingRun[]): Promise<Planning> {
	const planning: Planning = { jobs: [], earlier: [] };
	const turns = new Turns();
	const all = runs.flatMap((run) => jobItems(run).map((indexes) => ({ run, indexes })));
	const moved = await settleSingles(runs, planning);
	for (const { run, indexes } of all.sort((a, b) => firstOf(a.indexes) - firstOf(b.indexes))) {
		if (isCanceled(run)) break;
		if (run.kind === 'perItem' && run.rows.of(firstOf(indexes)) !== undefined) {
			noteNumbers(run, inputFor(run, indexes));
			continue;
		}
		try {
			if (isNobody(run, indexes)) {
				leaveOutBlank(run, indexes);
				continue;
			}
			const job = await planJob(run, indexes, planning);
			if (isOfMoved(job, moved)) run.rows.set(indexes, ofOtherItem());
			else planning.jobs.push(job);
		} catch (cause) {
			noteWrittenMessage(run, indexes);
			if (isDryRunOfMessage(run, indexes)) describeInvalid(run, indexes, cause);
			else failJob(run, indexes, cause);
		}
		await turns.give();
	}
	return planning;
}

/** Whether another item may have made the one request of a job. */
function isOfMoved({ requests: [planned] }: Job, moved: ReadonlySet<string>): boolean {
	if (moved.size === 0 || planned === undefined || planned.batch !== undefined) return false;
	return traceOf(planned).digests.some((digest) => moved.has(digest));
}

const firstOf = (itemIndexes: readonly number[]) => itemIndexes[0] ?? 0;

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

async function planJob(
	run: SendingRun,
	itemIndexes: readonly number[],
	planning: Planning,
): Promise<Job | FileJob> {
	const { operation } = run;
	const kind = operation.recipients;
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	const isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	const made: Job = { run, itemIndexes, isDryRun, warnings, requests: [], earlier: [] };
	const { accountKey: account } = run;
	noteNumbers(run, input);
	if (kind === undefined) {
		const request = operation.request(input);
		noteMessage(run, itemIndexes, request.body?.message);
		const leftOut = await leftOutOf(run, input, request);
		return { ...made, requests: [{ itemIndexes, request, leftOut, account }] };
	}
	if (sourceOf(kind, run.context) === FILE) {
		const file = readFileJob(made, kind, input);
		return { ...file, recipients: { ...file.recipients, screen: await screenOf(run, input) } };
	}
	const earlier = earlierOfList(run, itemIndexes);
	try {
		const list = readRecipientList(kind, input);
		const tried = earlier.receipts.length === 0 ? {} : findEarlier(run, list, earlier, planning);
		const plan = planRecipients(list, { screen: await screenOf(run, input), ...tried });
		if (plan.obstacle !== undefined && !isDryRun) throw plan.obstacle;
		const entries = once(() => indexOfEntries(list));
		const requests = plan.batches.map((batch) => ({
			itemIndexes,
			request: operation.request({ ...input, batch }),
			batch,
			account,
			...(plan.isItems
				? {}
				: { tracing: (own: Batch) => () => traceOfEntries(own, entries(), account) }),
		}));
		return { ...made, plan, requests, earlier: earlier.results };
	} catch (cause) {
		if (run.kind === 'allItems' || earlier.results.length === 0) throw Failure.of(cause);
		const result = haltAfter(run, failedResult(cause, 'possibly'));
		run.rows.set(itemIndexes, ofOneRow([...earlier.results, result], '', {}));
		return made;
	}
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

/**
 * What decides about the recipients of a campaign beside their own values: the do-not-contact lists,
 * other texts within the hours of the policy, and the sending hours where those outside of them are
 * skipped.
 * @returns undefined where nothing does
 * @throws Failure for options that are wrong; what reading the stored numbers and the messages throws
 */
async function screenOf(run: SendingRun, input: OperationInput): Promise<StartScreen | undefined> {
	const { policy, operation } = run;
	const isBlocked = await blockedBy(run, input);
	const isStored = await policy.screen();
	// When it reaches people: its request says so, not its recipients.
	const emptyRequest = () =>
		operation.request({
			...input,
			batch: { recipients: [], itemIndexes: input.itemIndexes, part: 1 },
		});
	const recent = await policy.textsFor(emptyRequest);
	const isSkipped = input.parameters.member('options', outsideHours) === 'skip';
	const hours = isSkipped && policy.isOn ? policy.hoursFor(emptyRequest()) : undefined;
	if ([isBlocked, isStored, recent, hours].every((each) => each === undefined)) return undefined;
	return () => {
		const isRecent = recent?.();
		return (number) =>
			isStored?.(number) ?? isBlocked?.(number) ?? isRecent?.(number) ?? hours?.(number);
	};
}

/** Why the one recipient of a message is left out. The policy is asked when its turn comes. */
async function leftOutOf(
	run: SendingRun,
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
	{ notes }: SendingRun,
	input: OperationInput,
): Promise<Screen | undefined> {
	return await readDoNotContact({
		...input,
		noteUnreadable: (storageIds) => notes.addUnreadable(storageIds),
	});
}
