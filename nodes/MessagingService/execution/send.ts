import { Failure } from '../failure';
import { isObject } from '../json';
import type { RequestCheck } from '../policy/requestCheck';
import { simulatedResponse } from '../policy/rules/simulate';
import { numbersIn } from '../reach';
import { isComplaint, type Complaint } from '../reason';
import { identifiersOf } from '../transport/responseShape';
import { resultOfSending } from './earlier';
import { acceptedResult, planCampaign, rowsOf, type PlannedRequest } from './planned';
import { failedResult, type Result } from './rows';
import { inputFor, isOver, type CredentialRun } from './start';

/** Whether a request is neither left out nor one that an agent has sent before. */
export function isToSend({ agent }: CredentialRun, planned: PlannedRequest): boolean {
	return planned.leftOut === undefined && agent?.find(planned) === undefined;
}

/**
 * Sends one request, unless it was sent before, is left out, or must not be sent. This is the only
 * way of the action node to the service for what is not a GET.
 */
export async function sendRequest(run: CredentialRun, planned: PlannedRequest): Promise<Result> {
	const { agent, rows } = run;
	const send = async () => await sendOnce(run, planned);
	const result = agent === undefined ? await send() : await agent.inTurn(planned, send);
	rows.noteFailure(result);
	return result;
}

async function sendOnce(run: CredentialRun, planned: PlannedRequest): Promise<Result> {
	const known = run.agent?.find(planned);
	if (known !== undefined) {
		const about = { reason: SENT_BEFORE, alreadySent: true };
		return resultOfSending(run.operation, known, planned.request.output, about);
	}
	if (planned.leftOut !== undefined) return { sent: 'no', leftOut: [planned.leftOut] };
	if (isOver(run)) return { sent: 'no' };
	try {
		return await checkAndPost(run, planned);
	} catch (cause) {
		// `post` throws nothing once a request may have gone out.
		return failedResult(cause, 'no');
	}
}

async function checkAndPost(run: CredentialRun, planned: PlannedRequest): Promise<Result> {
	const check = await run.policy.check(planned.request);
	if (check instanceof Failure) return await afterRefusal(run, planned, check);
	const simulatedBy = run.policy.simulatedBy(planned.request);
	if (simulatedBy === undefined) return await post(run, planned, check);
	run.hints.addSimulated(simulatedBy);
	const { request } = planned;
	const record = run.operation.result(simulatedResponse(request), { ...request.output });
	return { sent: 'no', records: [{ ...record, sent: 'no', reason: SIMULATED, simulated: true }] };
}

const SIMULATED = 'Simulated: all was checked, and nothing sent';
const SENT_BEFORE = 'Sent before in this execution, so not again';

/**
 * A request that is not sent. A message to somebody on the do-not-contact list of the credential, or
 * with another text, is left out, like a row of a list. A campaign goes to those without another text.
 */
async function afterRefusal(
	run: CredentialRun,
	planned: PlannedRequest,
	failure: Failure,
): Promise<Result> {
	const { block, request } = planned;
	const { isLeftOut = false, reasons = [] } = failure.facts;
	if (block !== undefined && isLeftOut) {
		return await sendToOthers(run, planned, reasons.filter(isComplaint));
	}
	const refusal = atRows(failure, rowsOf(planned));
	const isMessage = block === undefined && numbersIn(request.reaches) !== undefined;
	const leftOut = isMessage ? leftOutBy(refusal) : undefined;
	return leftOut === undefined ? failedResult(refusal, 'no') : { sent: 'no', leftOut: [leftOut] };
}

/** The recipient of a message, where its refusal stops no other one. */
export function leftOutBy({ facts }: Failure): Complaint | undefined {
	const { isLeftOut = false, reasons = [] } = facts;
	const [reason] = reasons.filter(isComplaint);
	return isLeftOut || reason?.code === 'doNotContact' ? reason : undefined;
}

/** @param complaints those to leave out, by their positions in the request */
async function sendToOthers(
	run: CredentialRun,
	planned: PlannedRequest,
	complaints: readonly Complaint[],
): Promise<Result> {
	const { places = [] } = planned.block ?? {};
	const leftOut = complaints.map((each) => ({ ...each, place: places[each.place] ?? each.place }));
	if (complaints.length === planned.block?.recipients.length) return { sent: 'no', leftOut };
	const others = without(run, planned, new Set(complaints.map(({ place }) => place)));
	const result = await checkAndPost(run, others);
	return { ...result, leftOut: [...leftOut, ...(result.leftOut ?? [])] };
}

/** A campaign without some of its recipients: a later try looks at these again. */
function without(
	run: CredentialRun,
	planned: PlannedRequest,
	positions: ReadonlySet<number>,
): PlannedRequest {
	const { block, itemIndexes } = planned;
	if (block === undefined) return planned;
	const keep = <Each>(list: readonly Each[]) => list.filter((_, index) => !positions.has(index));
	const own = {
		...block,
		recipients: keep(block.recipients),
		itemIndexes: run.kind === 'allItems' ? keep(block.itemIndexes) : block.itemIndexes,
		places: keep(block.places),
	};
	return planCampaign(run, inputFor(run, itemIndexes), own, planned);
}

/**
 * A refusal of the policy, whose reasons have positions in its requests, with the input items there.
 * @param rows of all recipients, in their order
 */
export function atRows(refusal: Failure, rows: readonly number[]): Failure {
	const { message, description, facts } = refusal;
	const reasons = facts.reasons?.map((each) =>
		isComplaint(each) ? { ...each, place: rows[each.place] ?? each.place } : each,
	);
	return new Failure(message, description, { ...facts, reasons });
}

async function post(
	run: CredentialRun,
	planned: PlannedRequest,
	check: RequestCheck,
): Promise<Result> {
	const { client, agent, ledger, hints, policy } = run;
	const memory = agent ?? ledger;
	const { request } = planned;
	hints.addSender(request.body?.sender);
	memory?.note(planned, { sent: 'possibly' });
	let isAccepted = false;
	try {
		const response = await client.post(request, check);
		isAccepted = true;
		policy.noteResult(check, 'yes', response);
		memory?.note(planned, { sent: 'yes', response: identifying(response) });
		if ((planned.block?.part ?? 1) === 1) hints.addMessage(request.body?.message);
		const read = await run.operation.readOutput?.(inputFor(run, planned.itemIndexes));
		return acceptedResult(run.operation, response, { ...request.output, ...read });
	} catch (cause) {
		const failure = Failure.of(cause);
		const { httpCode } = failure.facts;
		const sent = cause instanceof Failure && !isAccepted ? cause.sent : 'possibly';
		if (sent === 'no') {
			memory?.forget(planned);
			policy.noteResult(check, 'no');
			return await afterRefusal(run, planned, failure);
		}
		policy.noteResult(check, 'possibly');
		memory?.note(planned, { sent: 'possibly', httpCode });
		return failedResult(failure, sent);
	}
}

/** Of a response, only what identifies: an ID as such, or the fields that hold one. */
function identifying(response: unknown): unknown {
	if (typeof response === 'string' || typeof response === 'number') return response;
	return isObject(response) ? identifiersOf(response) : null;
}
