import { attempt, isError, once, partition, sortedIndexOf } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { isBlankRow } from '../parameters/inputFields';
import type { OperationInput } from '../parameters/operationInput';
import { isNothing } from '../parameters/values';
import { BLANK_ROW } from '../reason';
import { personOf, readNumberOptions, readRecipientNumber } from '../recipients/phoneNumber';
import {
	planRecipients,
	readRecipientList,
	type Earlier,
	type Person,
	type RecipientList,
} from '../recipients/plan';
import { readCandidates } from '../recipients/sources';
import { reachesPeople, sendsMessages } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import { mapConcurrently } from '../transport/concurrency';
import { Sequence } from '../transport/sequence';
import { clientKeyOf } from '../transport/settings';
import { describeJob, describeInvalid, describeMessage } from './dryRun';
import {
	findEntries,
	findRows,
	indexOfEntries,
	ofOtherItem,
	ofReceipt,
	traceOfEntries,
} from './earlier';
import { rowDigest, rowsOf, traceOf, whomOf, type Job, type PlannedRequest } from './job';
import { leftOutOf, screenOf } from './leaveOut';
import type { Receipt } from './receipts';
import { markRun, reachesMany } from './retryOnce';
import { failed, type Result } from './rows';
import { ofRows, sendRequest } from './send';
import { failRecipients, ofOneRow, settle } from './settle';
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
import { Turns } from './turns';

/** A job, and the run with its credential. */
interface RunJob {
	run: SendingRun;
	job: Job;
}

/** All jobs, planned. */
interface Planning {
	jobs: RunJob[];
	/** The people whom earlier tries have reached, or possibly reached. */
	earlier: unknown[];
}

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
	await mapConcurrently(jobs, isJudged ? 1 : concurrencyOf(runs), async ({ run, job }) => {
		await sequence.run(job.requests[0]?.request.changes, async () => doJob(run, job));
	});
}

/**
 * Makes the requests of each job that are left to send, in the order of the rows. A job whose requests
 * cannot be made fails, with all its rows.
 */
async function planJobs(runs: readonly SendingRun[]): Promise<Planning> {
	const planning: Planning = { jobs: [], earlier: [] };
	const turns = new Turns();
	const all = runs.flatMap((run) => jobItems(run).map((indexes) => ({ run, indexes })));
	const moved = settleSingles(runs, planning);
	for (const { run, indexes } of all.sort((a, b) => firstOf(a.indexes) - firstOf(b.indexes))) {
		if (isCanceled(run)) break;
		if (run.kind === 'perItem' && run.rows.of(firstOf(indexes)) !== undefined) continue;
		try {
			if (isNobody(run, indexes)) {
				leaveOutBlank(run, indexes);
				continue;
			}
			const job = await planJob(run, indexes, planning);
			if (isOfMoved(job, moved)) run.rows.set(indexes, ofOtherItem());
			else planning.jobs.push({ run, job });
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

/** Whom an input item reaches now, or what it changes. */
interface Whom {
	whom: unknown;
	digest: string;
	/** What the output says of it that the receipt does not hold. */
	known: IDataObject;
}

/**
 * Notes what became of the input items that earlier tries have sent, each with a request of its own.
 * @returns the digests of whom they have reached, where it is not whom they reach now
 */
function settleSingles(runs: readonly SendingRun[], { earlier }: Planning): ReadonlySet<string> {
	const [{ operation, ledger, rows }] = runs as [SendingRun];
	const receipts = new Map((ledger?.earlier ?? []).map((receipt) => [receipt.item, receipt]));
	const now = new Map<number, Whom | undefined>();
	if (operation.recipients !== undefined) return new Set();
	for (const run of runs) {
		for (const row of run.own) {
			const whom = receipts.has(row) ? attempt(() => whomNow(run, row)) : undefined;
			if (receipts.has(row)) now.set(row, isError(whom) ? undefined : whom);
		}
	}
	const digests = new Map([...now].map(([row, whom]) => [row, whom?.digest] as const));
	const { found, moved } = findRows([...receipts.values()], digests);
	for (const [row, receipt] of receipts) {
		const { whom, known } = now.get(row) ?? {};
		const result = ofReceipt(operation, receipt, known);
		if (found.has(row)) rows.set([row], found.get(row) === 'known' ? result : ofOtherItem(result));
		if (whom !== undefined) earlier.push(whom);
	}
	return moved;
}

/** @throws what is wrong with the fields that say it */
function whomNow(run: SendingRun, row: number): Whom {
	const { operation } = run;
	const input = inputFor(run, [row]);
	if (sendsMessages(operation)) {
		noteNumbers(run, input);
		const entered = input.parameters.value('phoneNumber', 'Phone Number');
		const { number } = readRecipientNumber(entered, readNumberOptions(input));
		const digest = rowDigest(accountOf(run), personOf(number));
		const request = attempt(() => operation.request(input));
		// In the order of the columns; the text is the one that the row has now.
		const { message } = isError(request) ? {} : { ...request.body };
		return {
			whom: number,
			digest,
			known: { phoneNumber: number, sent: 'yes', reason: '', message },
		};
	}
	const request = operation.request(input);
	const planned = { itemIndexes: [row], request, account: accountOf(run) };
	const [digest = ''] = traceOf(planned).digests;
	return { whom: whomOf(planned)[0], digest, known: { ...request.known } };
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
/** What tells accounts apart, in each try: also where the key was replaced in between. */
const accountOf = ({ client }: SendingRun) => clientKeyOf(client.settings);

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
): Promise<Job> {
	const { operation } = run;
	const kind = operation.recipients;
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	const isDryRun = reachesPeople(operation) && input.parameters.read(dryRunField);
	const made = { itemIndexes, isDryRun, warnings, earlier: [] };
	const account = accountOf(run);
	noteNumbers(run, input);
	if (kind === undefined) {
		const request = operation.request(input);
		noteMessage(run, itemIndexes, request.body?.message);
		const leftOut = await leftOutOf(run, input, request);
		return { ...made, requests: [{ itemIndexes, request, leftOut, account }] };
	}
	const earlier = earlierOf(run, itemIndexes);
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
			...(plan.isItems ? {} : { trace: () => traceOfEntries(batch, entries(), account) }),
		}));
		return { ...made, plan, requests, earlier: earlier.results };
	} catch (cause) {
		if (run.kind === 'allItems' || earlier.results.length === 0) throw Failure.of(cause);
		const result = stopAfter(run, failed(cause, 'possibly'));
		run.rows.set(itemIndexes, ofOneRow([...earlier.results, result], '', {}));
		return { ...made, requests: [] };
	}
}

/** What earlier tries have sent of a list. */
interface EarlierOfList {
	receipts: readonly Receipt[];
	/** Of a typed list: what became of the requests. */
	results: Result[];
}

function earlierOf(
	{ kind, ledger, operation }: SendingRun,
	itemIndexes: readonly number[],
): EarlierOfList {
	if (ledger === undefined) return { receipts: [], results: [] };
	if (kind === 'allItems') return { receipts: ledger.earlier, results: [] };
	const receipts = ledger.of(firstOf(itemIndexes));
	return { receipts, results: receipts.map((each) => ofReceipt(operation, each)) };
}

/** Finds what earlier tries have sent of a list, and notes what became of it. */
function findEarlier(
	run: SendingRun,
	list: RecipientList,
	{ receipts, results }: EarlierOfList,
	planning: Planning,
): { earlier: ReadonlyMap<number, Earlier>; firstPart: number } {
	const people = list.people();
	const earlier = list.isItems
		? settleRows(run, receipts, people)
		: findEntries(receipts, list, people, accountOf(run));
	const isUnclear = !list.isItems && [...earlier.values()].includes('differs');
	if (isUnclear) results.push(ofOtherItem());
	for (const { place, number } of people) if (earlier.has(place)) planning.earlier.push(number);
	return { earlier, firstPart: Math.max(...receipts.map(({ part }) => part)) + 1 };
}

/** Notes what became of the input items of a list that earlier tries have sent. */
function settleRows(
	run: SendingRun,
	receipts: readonly Receipt[],
	people: readonly Person[],
): ReadonlyMap<number, Earlier> {
	const { rows, operation } = run;
	const account = accountOf(run);
	const digests = new Map(
		people.map(({ place, number }) => [place, rowDigest(account, personOf(number))] as const),
	);
	const { found, moved } = findRows(receipts, digests);
	for (const [row, digest] of digests) {
		if (!found.has(row) && moved.has(digest)) found.set(row, 'differs');
	}
	for (const receipt of receipts) {
		const result = ofReceipt(operation, receipt);
		const known = receipt.places.filter((row) => found.get(row) === 'known');
		if (known.length > 0) rows.set(known, result);
		else rows.set(receipt.places.slice(0, 1), ofOtherItem(result));
	}
	for (const [row, state] of found) if (state === 'differs') rows.set([row], ofOtherItem());
	return found;
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
	const { rows, kind } = run;
	const [known, open] = partition(itemIndexes, (row) => sentBefore(run, row) === 'possibly');
	for (const row of known) rows.set([row], stopAfter(run, failed(cause, 'possibly')));
	if (open.length === 0) return;
	const result = failed(cause, 'no');
	stopAfter(run, result);
	if (kind === 'allItems') failRecipients(rows, open, result);
	else rows.set(open, result);
}

/** Whether a request was not sent before. */
export function isOpen({ agent }: SendingRun, planned: PlannedRequest): boolean {
	return planned.leftOut === undefined && agent?.find(planned) === undefined;
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
	open: readonly PlannedRequest[],
): Promise<Failure | undefined> {
	const refusal = await run.policy.startReview().refusalOf(open.map(({ request }) => request));
	return refusal && ofRows(refusal, open.flatMap(rowsOf));
}
