import { sleep } from 'n8n-workflow';
import type { Failure } from '../failure';
import { planRecipients } from '../recipients/plan';
import { reachesPeople, sendsMessages, type ReadCall } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import { mapConcurrently } from '../transport/concurrency';
import { describeCall } from './dryRun';
import { describeInvalid, describeMessage } from './dryRunOfMessage';
import { failed } from './rows';
import { leftOutOf, screenOf } from './leaveOut';
import { rowsOf, type Call, type Planned } from './planned';
import { markRun, reachesMany } from './retryOnce';
import { ofRows, sendRequest } from './send';
import { Sequence } from './sequence';
import { failRecipients, settle } from './settle';
import { callFor, isCanceled, isOver, sentBefore, stopAfter, type SendingRun } from './start';

/** How long requests are made before n8n gets a turn. */
const TURN_MS = 50;

/**
 * Makes the requests of all calls, then sends them: what is wrong with any of them is known before
 * the first one goes out.
 * @param itemIndexes the input items of each call
 */
export async function sendCalls(
	run: SendingRun,
	itemIndexes: readonly (readonly number[])[],
): Promise<void> {
	const calls = await planCalls(run, itemIndexes);
	const sending = calls.filter(({ isDryRun }) => !isDryRun);
	const requests = sending.flatMap((call) => call.requests);
	run.record?.compare(requests);
	const isSending = !isOver(run) && requests.some((each) => isOpen(run, each));
	if (isSending && reachesMany(requests)) {
		await markRun(run.context, run.operation, requests);
	}
	const sequence = new Sequence();
	await mapConcurrently(calls, run.concurrency, async (call) => {
		await sequence.run(call.requests[0]?.request.changes, async () => makeCall(run, call));
	});
}

/** Makes the requests of each call. A call whose requests cannot be made fails, with all its rows. */
async function planCalls(
	run: SendingRun,
	itemIndexes: readonly (readonly number[])[],
): Promise<Call[]> {
	const calls: Call[] = [];
	let end = Date.now() + TURN_MS;
	for (const indexes of itemIndexes) {
		if (isCanceled(run)) break;
		try {
			calls.push(await planCall(run, indexes));
		} catch (cause) {
			if (isDryRunOfMessage(run, indexes)) describeInvalid(run, indexes, cause);
			else failCall(run, indexes, cause);
		}
		if (Date.now() < end) continue;
		await sleep(0);
		end = Date.now() + TURN_MS;
	}
	return calls;
}

/** Whether a row is one message that is not sent, but described. */
function isDryRunOfMessage(run: SendingRun, itemIndexes: readonly number[]): boolean {
	if (!sendsMessages(run.operation)) return false;
	try {
		return callFor(run, itemIndexes).parameters.read(dryRunField);
	} catch {
		return false;
	}
}

async function planCall(run: SendingRun, itemIndexes: readonly number[]): Promise<Call> {
	const { operation } = run;
	const kind = operation.recipients;
	const warnings: string[] = [];
	const call: ReadCall = {
		...callFor(run, itemIndexes),
		warn: (text) => {
			warnings.push(text);
			run.notes.warnings.add(text);
		},
	};
	const isDryRun = reachesPeople(operation) && call.parameters.read(dryRunField);
	const made = { itemIndexes, isDryRun, warnings };
	if (kind === undefined) {
		const request = operation.request(call);
		const complaint = await leftOutOf(run, call, request);
		const leftOut = complaint === undefined ? {} : { leftOut: complaint };
		return { ...made, requests: [{ itemIndexes, request, ...leftOut }] };
	}
	const plan = planRecipients(kind, call, await screenOf(run, call));
	if (plan.obstacle !== undefined && !isDryRun) throw plan.obstacle;
	const requests = plan.batches.map((batch) => ({
		itemIndexes,
		request: operation.request({ ...call, batch }),
		batch,
	}));
	return { ...made, plan, requests };
}

/** Fails a call that sends nothing now; an earlier try may have sent some of it. */
export function failCall(run: SendingRun, itemIndexes: readonly number[], cause: unknown): void {
	const result = failed(cause, sentBefore(run, itemIndexes));
	stopAfter(run, result);
	if (run.kind === 'allItems') failRecipients(run.rows, itemIndexes, result);
	else run.rows.set(itemIndexes, result);
}

/** Whether a request was not sent before. */
export function isOpen({ memory }: SendingRun, planned: Planned): boolean {
	return planned.leftOut === undefined && memory?.find(planned) === undefined;
}

async function makeCall(run: SendingRun, call: Call): Promise<void> {
	try {
		if (!call.isDryRun) await sendCall(run, call);
		else if (sendsMessages(run.operation)) await describeMessage(run, call);
		else await describeCall(run, call);
	} catch (cause) {
		failCall(run, call.itemIndexes, cause);
	}
}

/**
 * Sends the requests of a call. Those of a divided list are judged by the sending policy before the
 * first one is sent: one refused recipient refuses all that were not sent by an earlier try.
 */
async function sendCall(run: SendingRun, call: Call): Promise<void> {
	const { requests, plan } = call;
	const open = requests.filter((planned) => isOpen(run, planned));
	const refusal = requests.length < 2 ? undefined : await refusalOfAll(run, open);
	const refused = refusal && failed(refusal, 'no');
	if (refused !== undefined) {
		stopAfter(run, refused);
		// Of these rows, each gets its own reason.
		if (plan?.isItems === true) failRecipients(run.rows, open.flatMap(rowsOf), refused);
	}
	const results = await mapConcurrently(requests, run.concurrency, async (planned) =>
		refused !== undefined && isOpen(run, planned) ? refused : sendRequest(run, planned),
	);
	settle(run, call, results);
}

/** Why the requests may not all be sent, by the input items of their recipients. */
async function refusalOfAll(
	run: SendingRun,
	open: readonly Planned[],
): Promise<Failure | undefined> {
	const refusal = await run.policy.startReview().refusalOf(open.map(({ request }) => request));
	return refusal && ofRows(refusal, open.flatMap(rowsOf));
}
