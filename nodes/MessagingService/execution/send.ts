import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../parameters/inputError';
import type { Admission, Refused } from '../policy/guard';
import { simulatedResponse } from '../policy/simulation';
import { numbersIn } from '../reach';
import { isComplaint, type Complaint } from '../reason';
import { reachesPeople } from '../resources/operation';
import { failureOf, toNodeApiError } from '../transport/errors';
import { AgentMemory } from './agentMemory';
import { failed, failureFor, leftOut } from './failures';
import type { Planned } from './planned';
import type { Result } from './rows';
import { identifying, type Known } from './sentRecord';
import { callFor, isOver, type SendingRun } from './start';

/**
 * Sends one request, unless it was sent before, is left out, or must not be sent. This is the only
 * way to the service for what is not a GET.
 */
export async function sendRequest(run: SendingRun, planned: Planned): Promise<Result> {
	const { memory } = run;
	if (!(memory instanceof AgentMemory)) return await sendOnce(run, planned);
	return await memory.inTurn(planned, async () => sendOnce(run, planned));
}

async function sendOnce(run: SendingRun, planned: Planned): Promise<Result> {
	const known = run.memory?.find(planned);
	if (known !== undefined) return ofKnown(run, planned, known);
	if (planned.leftOut !== undefined) return notContacted(planned.leftOut);
	if (isOver(run)) return { sent: 'no' };
	return await admitAndPost(run, planned);
}

async function admitAndPost(run: SendingRun, planned: Planned): Promise<Result> {
	const { context, policy } = run;
	let judged: Admission | Refused;
	try {
		judged = await policy.admit(planned.request);
	} catch (cause) {
		return failed(run, cause, 'no');
	}
	if ('failure' in judged) {
		const blocked = leftOutBy(judged, planned);
		if (blocked !== undefined) return notContacted(blocked);
		return failed(run, toNodeApiError(context.getNode(), judged.failure), 'no');
	}
	if (!judged.isSimulated) return await post(run, planned, judged);
	run.notes.simulated++;
	const record = recordOf(run, planned, simulatedResponse(planned.request));
	return { sent: 'no', records: [{ ...record, sent: 'no', simulated: true }] };
}

function notContacted(complaint: Complaint): Result {
	return { sent: 'no', leftOut: complaint, failure: leftOut(complaint) };
}

/** A message to somebody on the do-not-contact list of the credential is left out, like a row of a list. */
function leftOutBy({ failure }: Refused, { request, batch }: Planned): Complaint | undefined {
	const [reason] = failure.reasons ?? [];
	if (batch !== undefined || numbersIn(request.reaches) === undefined) return undefined;
	return reason?.code === 'doNotContact' && isComplaint(reason) ? reason : undefined;
}

async function post(run: SendingRun, planned: Planned, admission: Admission): Promise<Result> {
	const { client, memory, notes } = run;
	const { request } = planned;
	notes.addSender(request.body?.sender);
	memory?.note(planned, { possiblySent: true });
	try {
		const response = await client.post(request, admission.refusal);
		memory?.note(planned, { response: identifying(response) });
		if ((planned.batch?.part ?? 1) === 1) notes.addMessage(request.body?.message);
		return accepted(run, planned, response);
	} catch (cause) {
		const { sent = 'possibly', httpCode } = failureOf(cause) ?? {};
		if (sent === 'no') {
			memory?.forget(planned);
			admission.release();
		} else {
			const status = httpCode === undefined ? {} : { httpCode };
			memory?.note(planned, { possiblySent: true, ...status });
		}
		return failed(run, cause, sent);
	}
}

function accepted(
	run: SendingRun,
	planned: Planned,
	response: unknown,
	about: IDataObject = {},
): Result {
	const sent = reachesPeople(run.operation) ? { sent: 'yes', ...about } : {};
	return { sent: 'yes', records: [{ ...recordOf(run, planned, response), ...sent }] };
}

function recordOf(run: SendingRun, planned: Planned, response: unknown): IDataObject {
	const { request, batch, itemIndexes } = planned;
	return run.operation.result(response, callFor(run, itemIndexes, batch), request);
}

/** What was sent before is not sent again. */
function ofKnown(run: SendingRun, planned: Planned, known: Known): Result {
	const isAgent = run.memory instanceof AgentMemory;
	if ('response' in known) {
		return accepted(run, planned, known.response, isAgent ? { alreadySent: true } : {});
	}
	if ('differs' in known) return failed(run, otherItems(), 'possibly');
	const { httpCode } = known;
	const status = httpCode === undefined ? '' : ` The service responded with status ${httpCode}.`;
	const cause = toNodeApiError(run.context.getNode(), {
		message: 'Possibly sent before',
		description: `An identical request of this execution ended without a readable response, so it may have been accepted. It was not sent again: check in the service, and send it only if it is not there.${status}`,
		sent: 'possibly',
		...(httpCode === undefined ? {} : { httpCode }),
	});
	return isAgent ? failed(run, cause, 'possibly') : failureFor(cause, 'possibly', true);
}

function otherItems(): InputError {
	return new InputError(
		'The items',
		'differ from those of the earlier try',
		'The earlier try has sent something else from this place, or with another operation or division, so this was not sent. Restore the items and fields of the earlier try, or start a new execution with only the items that were not sent.',
	);
}
