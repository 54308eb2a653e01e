import type { IDataObject } from 'n8n-workflow';
import type { Admission } from '../policy/guard';
import { simulatedResponse } from '../policy/simulation';
import { InputError } from '../parameters/inputError';
import { failureOf, toNodeApiError, type Failure } from '../transport/errors';
import { callFor, isOver, type SendingRun } from './runState';
import { failed, leftOut } from './failures';
import { identifying, type Known } from './memory';
import type { Result } from './rows';
import type { Planned } from './planned';

const EARLIER = {
	message: 'Possibly sent in an earlier try',
	description:
		'An earlier try ended without a readable response of the service, so the request may have been accepted. Check in the service. It was not sent again. To send it anyway, run the item in a new execution.',
	sent: 'possibly',
} as const satisfies Failure;

const EARLIER_BY_AGENT = {
	message: 'An identical request was possibly sent before',
	description:
		'The service may have accepted it, although there was no readable response. It was not sent again in this execution: check in the service whether it was sent.',
	sent: 'possibly',
} as const satisfies Failure;

/**
 * Sends one request, unless it was sent before, is left out, or must not be sent. This is the only
 * way to the service for what is not a GET.
 * @returns undefined where the run was stopped before
 */
export async function send(run: SendingRun, planned: Planned): Promise<Result | undefined> {
	return await run.memory.inTurn(planned, async () => {
		const known = run.memory.find(planned);
		if (known !== undefined) return ofKnown(run, planned, known);
		if (run.refused !== undefined) return failed(run.refused, 'possibly');
		if (planned.leftOut !== undefined) {
			run.notes.addLeftOut(planned.leftOut);
			return { sent: 'no', failure: leftOut(planned.leftOut) };
		}
		if (isOver(run)) return undefined;
		const result = await admitAndPost(run, planned);
		run.isStopped ||= result.failure !== undefined && !run.failuresAreItems;
		return result;
	});
}

async function admitAndPost(run: SendingRun, planned: Planned): Promise<Result> {
	let admission: Admission;
	try {
		admission = await run.policy.admit(planned.request);
	} catch (cause) {
		return failed(cause, 'no');
	}
	if (!admission.isSimulated) return await post(run, planned, admission);
	run.notes.simulated++;
	const record = recordOf(run, planned, simulatedResponse(planned.request));
	return { sent: 'no', records: [{ ...record, sent: 'no', simulated: true }] };
}

async function post(run: SendingRun, planned: Planned, admission: Admission): Promise<Result> {
	const { client, memory, notes } = run;
	const { request } = planned;
	notes.addSender(request.body?.sender);
	memory.note(planned, { possiblySent: true });
	try {
		const response = await client.post(request, admission.refusal);
		memory.note(planned, { response: identifying(response) });
		noteSent(run, planned);
		notes.requests++;
		if ((planned.batch?.part ?? 1) === 1) notes.addMessage(request.body?.message);
		return accepted(run, planned, response);
	} catch (cause) {
		const { sent = 'possibly', httpCode } = failureOf(cause) ?? {};
		if (sent === 'no') {
			memory.forget(planned);
			admission.release();
		} else {
			const status = httpCode === undefined ? {} : { httpCode };
			memory.note(planned, { possiblySent: true, ...status });
			noteSent(run, planned);
		}
		return failed(cause, sent);
	}
}

function noteSent(run: SendingRun, { callIndexes, batch, request }: Planned): void {
	run.operation.noteSent?.(callFor(run, callIndexes, batch), request);
}

function accepted(
	run: SendingRun,
	planned: Planned,
	response: unknown,
	about: IDataObject = {},
): Result {
	const sent = run.operation.reachesPeople === true ? { sent: 'yes', ...about } : {};
	return { sent: 'yes', records: [{ ...recordOf(run, planned, response), ...sent }] };
}

function recordOf(run: SendingRun, planned: Planned, response: unknown): IDataObject {
	const { request, batch } = planned;
	const call = callFor(run, planned.callIndexes, batch);
	return run.operation.result(response, call, request);
}

/** What was sent before is not sent again. */
function ofKnown(run: SendingRun, planned: Planned, known: Known): Result {
	const { isAgent } = run.memory;
	if ('response' in known) {
		return accepted(run, planned, known.response, isAgent ? { alreadySent: true } : {});
	}
	if ('differs' in known) {
		run.isStopped ||= !run.failuresAreItems;
		return failed(otherItems(), 'possibly');
	}
	const { httpCode } = known;
	const failure: Failure = isAgent ? EARLIER_BY_AGENT : EARLIER;
	const about =
		httpCode === undefined
			? failure
			: {
					...failure,
					httpCode,
					description: `${failure.description} The service responded with status ${httpCode}.`,
				};
	return failed(toNodeApiError(run.context.getNode(), about), 'possibly', !isAgent);
}

function otherItems(): InputError {
	return new InputError(
		'The items',
		'differ from those of the earlier try',
		'The earlier try has sent something else from this place, or with another operation or division, so this was not sent. Restore the items and fields of the earlier try, or start a new execution with only the items that were not sent.',
	);
}
