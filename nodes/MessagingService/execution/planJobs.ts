import { attempt, isError, once, sortedIndexOf } from 'lodash';
import { Failure } from '../failure';
import { isBlankRow } from '../parameters/inputFields';
import type { Batch, OperationInput } from '../parameters/operationInput';
import { isNothing } from '../parameters/values';
import { BLANK_ROW } from '../reason';
import { sourceOf } from '../recipients/fields';
import { FILE } from '../recipients/fileFields';
import { planRecipients, readRecipientList } from '../recipients/plan';
import { readCandidates } from '../recipients/sources';
import { reachesPeople, sendsMessages } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import { describeInvalid } from './dryRun';
import { earlierOfList, findEarlier, ofOtherItem, settleSingles } from './earlier';
import { readFileJob, type FileJob } from './file';
import { traceOf, type Job } from './job';
import { leftOutOf, screenOf } from './leaveOut';
import { indexOfEntries, traceOfEntries } from './recognize';
import { failedResult } from './rows';
import { failJob, ofOneRow } from './settle';
import {
	inputFor,
	isCanceled,
	jobItems,
	haltAfter,
	warnedInputFor,
	type SendingRun,
} from './start';
import { Turns } from './turns';

/** A job, and the run with its credential. */
export interface RunJob {
	run: SendingRun;
	job: Job;
	/** Of a file: the requests are made while it is read. */
	file?: FileJob;
}

/** All jobs, planned. */
export interface Planning {
	jobs: RunJob[];
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
	const moved = await settleSingles(runs, planning, noteNumbers);
	for (const { run, indexes } of all.sort((a, b) => firstOf(a.indexes) - firstOf(b.indexes))) {
		if (isCanceled(run)) break;
		if (run.kind === 'perItem' && run.rows.of(firstOf(indexes)) !== undefined) continue;
		try {
			if (isNobody(run, indexes)) {
				leaveOutBlank(run, indexes);
				continue;
			}
			const { job, file } = await planJob(run, indexes, planning);
			if (isOfMoved(job, moved)) run.rows.set(indexes, ofOtherItem());
			else planning.jobs.push({ run, job, file });
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
): Promise<Omit<RunJob, 'run'>> {
	const { operation } = run;
	const kind = operation.recipients;
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	const isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	const made = { itemIndexes, isDryRun, warnings, earlier: [] };
	const { accountKey: account } = run;
	noteNumbers(run, input);
	if (kind === undefined) {
		const request = operation.request(input);
		noteMessage(run, itemIndexes, request.body?.message);
		const leftOut = await leftOutOf(run, input, request);
		return { job: { ...made, requests: [{ itemIndexes, request, leftOut, account }] } };
	}
	if (sourceOf(kind, run.context) === FILE) {
		const file = await readFileJob(run, kind, { input, warnings });
		return { job: { ...made, requests: [] }, file };
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
		return { job: { ...made, plan, requests, earlier: earlier.results } };
	} catch (cause) {
		if (run.kind === 'allItems' || earlier.results.length === 0) throw Failure.of(cause);
		const result = haltAfter(run, failedResult(cause, 'possibly'));
		run.rows.set(itemIndexes, ofOneRow([...earlier.results, result], '', {}));
		return { job: { ...made, requests: [] } };
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
