import type { IDataObject } from 'n8n-workflow';
import { arrayOf } from '../jsonList';
import type { ServiceRequest } from '../transport/request';
import type { ServiceSettings } from '../transport/settings';
import type { RecipientKind } from '../recipients/kind';
import { countNumbers } from '../recipients/numberCounts';
import { readNumberOptions } from '../recipients/numberOptions';
import type { RecipientPlan } from '../recipients/plan';
import { callFor, type SendingRun } from './runState';
import { listOf, placeOf } from './complaints';
import { describeFirst } from './settle';
import type { Result } from './rows';
import { estimatedCost } from '../resources/shared/cost';
import { measure } from '../resources/shared/messageText';
import type { ParameterReader } from '../parameters/reader';
import { dryRunField } from '../resources/shared/dryRunField';
import type { Call, Planned } from './planned';

/** Recipients that the shown request holds; it says how many there are. */
const MOST_SHOWN = 3;

/** Whether the user wants nothing to be sent. @throws InputError unless it is true or false */
export function readDryRun(parameters: ParameterReader): boolean {
	return parameters.read(dryRunField) === true;
}

/** The output of a call that is a dry run: one item for each request that would be sent. */
export async function describeCall(run: SendingRun, call: Call): Promise<void> {
	const { requests } = call;
	const review = run.policy.startReview();
	const refusedAll =
		requests.length < 2
			? undefined
			: await review.refusalOfAll(requests.map(({ request }) => request));
	const records: IDataObject[] = [];
	for (const planned of requests) {
		run.notes.addSender(planned.request.body?.sender);
		const record = describePlan(run, call, planned);
		const refusal = refusedAll ?? (await run.policy.startReview().refusalOf(planned.request));
		if (refusal !== undefined && record.wouldSend === true) {
			record.wouldSend = false;
			record.reason = `${refusal.message}. ${refusal.description}`;
		}
		records.push(record);
	}
	const result: Result = { sent: 'no', records };
	describeFirst([result], call, false);
	run.rows.set(call.itemIndexes, result);
}

/** The output of a dry run: what the request would be, and what is remarkable about it. */
function describePlan(
	run: SendingRun,
	{ plan }: Pick<Call, 'plan'>,
	planned: Planned,
): IDataObject {
	const { recipients: kind, reach } = run.operation;
	const { request, batch, leftOut } = planned;
	if (leftOut !== undefined) return { dryRun: true, wouldSend: false, reason: leftOut.reason };
	const body = request.body ?? {};
	const output: IDataObject = { dryRun: true, wouldSend: plan?.obstacle === undefined };
	if (plan?.obstacle !== undefined) {
		output.reason = `${plan.obstacle.message}. ${plan.obstacle.description}`;
	}
	// Those of an update, for example, are not known.
	const recipients = arrayOf(batch?.recipients ?? (reach === 1 ? [body] : undefined)) as
		IDataObject[] | undefined;
	if (recipients !== undefined) {
		const numbers = recipients.map((recipient) => recipient[kind?.numberName ?? 'phoneNumber']);
		output.recipients = recipients.length;
		const options = plan?.numbers ?? readNumberOptions(callFor(run, planned.callIndexes));
		Object.assign(output, countNumbers(numbers, options));
	}
	if (batch?.parts !== undefined && batch.parts > 1)
		output.campaign = `${batch.part} of ${batch.parts}`;
	if (plan !== undefined && batch?.part === 1) {
		Object.assign(output, listOf('duplicates', plan.duplicates, plan));
		Object.assign(output, listOf('invalid', plan.invalid, plan));
		output.reasons = firstOfEachReason(plan);
		output.skippedCount = plan.skipped.length;
	}
	const { settings } = run.client;
	Object.assign(output, describeMessage(body, recipients?.length, settings, reach === 1));
	output.request = describeRequest(request, kind);
	return output;
}

/** How long the message of a request is, as it is written, and what it costs. */
export function describeMessage(
	{ message }: IDataObject,
	recipients: number | undefined,
	settings: ServiceSettings,
	isSingle = false,
): IDataObject {
	if (typeof message !== 'string') return {};
	const length = measure(message);
	if (recipients === undefined) return { message: length };
	return {
		message: { ...length, partsInAll: length.parts * recipients },
		...estimatedCost(settings, message, isSingle ? undefined : recipients),
	};
}

/** A request, with the first recipients only. */
export function describeRequest(
	{ method, path, query, body }: ServiceRequest,
	kind: RecipientKind<unknown> | undefined,
): IDataObject {
	return {
		method,
		path,
		...(query === undefined ? {} : { query }),
		...(body === undefined ? {} : { body: shortened(body, kind) }),
	};
}

/** How many recipients are invalid for the same reason, and the first of them. */
function firstOfEachReason({ invalid, isItems }: RecipientPlan): IDataObject[] {
	const reasons = new Map<string, IDataObject & { count: number }>();
	for (const { code, itemIndex, phoneNumber, reason, advice } of invalid) {
		const known = reasons.get(code);
		if (known === undefined) {
			const first: IDataObject = { ...placeOf(itemIndex, isItems), phoneNumber, reason };
			if (advice !== undefined) first.advice = advice;
			reasons.set(code, { code, count: 1, first });
		} else known.count++;
	}
	return [...reasons.values()];
}

/** The body with the first recipients only. */
function shortened(body: IDataObject, kind: RecipientKind<unknown> | undefined): IDataObject {
	const list = kind === undefined ? undefined : arrayOf(body[kind.name]);
	if (kind === undefined || list === undefined) return body;
	if (list.length <= MOST_SHOWN) return { ...body, [kind.name]: list };
	return { ...body, [kind.name]: [...list.slice(0, MOST_SHOWN), `... ${list.length} in all`] };
}
