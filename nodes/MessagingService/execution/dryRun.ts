import type { IDataObject } from 'n8n-workflow';
import { OperationalError } from 'n8n-workflow';
import { arrayOf } from '../jsonList';
import type { ServiceClient, ServiceRequest } from '../transport/request';
import { listRanges } from '../resources/shared/ranges';
import type { Complaint } from '../recipients/checks';
import type { RecipientKind } from '../recipients/kind';
import { countNumbers } from '../recipients/numberCounts';
import { readNumberOptions } from '../recipients/numberOptions';
import type { RecipientPlan } from '../recipients/plan';
import type { Operation, OperationCall } from '../resources/operation';
import type { ParameterReader } from '../resources/shared/parameters';
import { dryRunField } from '../resources/shared/dryRunField';
import { MessageEstimate } from './messageEstimate';

/** Recipients that the shown request holds; it says how many there are. */
const MOST_SHOWN = 3;
/** Duplicates and invalid recipients that are listed one by one. */
const MOST_LISTED = 1000;

/** Makes the requests of an operation up to the first one that sends, and gives that one back. */
export async function plannedRequest(
	client: ServiceClient,
	run: (client: ServiceClient) => Promise<unknown>,
): Promise<ServiceRequest | undefined> {
	let planned: ServiceRequest | undefined;
	const unlessSending =
		<Answer>(send: (request: ServiceRequest) => Promise<Answer>) =>
		async (request: ServiceRequest) => {
			if (request.method === 'GET') return await send(request);
			planned = request;
			// Ends the operation, which need not know of dry runs.
			throw new OperationalError('Dry run');
		};
	const [outcome] = await Promise.allSettled([
		run({
			settings: client.settings,
			record: unlessSending(client.record),
			records: unlessSending(client.records),
			page: unlessSending(client.page),
			identifier: unlessSending(client.identifier),
			anything: unlessSending(client.anything),
		}),
	]);
	if (planned === undefined && outcome.status === 'rejected') throw outcome.reason;
	return planned;
}

/** Whether the user wants nothing to be sent. @throws InputError unless it is true or false */
export function readDryRun(parameters: ParameterReader): boolean {
	return parameters.read(dryRunField) === true;
}

/** The output of a dry run: what the request would be, and what is remarkable about it. */
export function describePlan(
	request: ServiceRequest | undefined,
	{ recipients: kind, reach }: Operation,
	plan: RecipientPlan | undefined,
	{ batch, parameters }: Pick<OperationCall, 'batch' | 'parameters'>,
): IDataObject {
	const body = request?.body ?? {};
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
		Object.assign(output, countNumbers(numbers, plan?.numbers ?? readNumberOptions(parameters)));
	}
	if (batch?.parts !== undefined && batch.parts > 1)
		output.campaign = `${batch.part} of ${batch.parts}`;
	if (plan !== undefined && batch?.part === 1) {
		Object.assign(output, listOf('duplicates', plan.duplicates, plan));
		Object.assign(output, listOf('invalid', plan.invalid, plan));
		output.reasons = firstOfEachReason(plan);
		output.skippedCount = plan.skipped.length;
	}
	if (typeof body.message === 'string') {
		const estimate = new MessageEstimate(body, kind);
		if (recipients !== undefined) estimate.add(recipients);
		Object.assign(output, estimate.describe());
	}
	if (request !== undefined) output.request = describeRequest(request, kind);
	return output;
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

/** Complaints for an output item: how many, the first of them, and the positions of the others. */
export function listOf(
	name: string,
	complaints: readonly Complaint[],
	{ isItems }: RecipientPlan,
): IDataObject {
	const others = complaints
		.slice(MOST_LISTED)
		.map(({ itemIndex }) => (isItems ? itemIndex : itemIndex + 1));
	return {
		[`${name}Count`]: complaints.length,
		[name]: complaints
			.slice(0, MOST_LISTED)
			.map(({ itemIndex, phoneNumber, reason, nextAllowedTime }) => ({
				...placeOf(itemIndex, isItems),
				phoneNumber,
				reason,
				...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
			})),
		...(others.length === 0 ? {} : { [`${name}Others`]: listRanges(others, Infinity) }),
	};
}

/** Where a recipient comes from: items have their index, the entries of a list are counted from 1. */
function placeOf(itemIndex: number, isItems: boolean): IDataObject {
	return isItems ? { itemIndex } : { entry: itemIndex + 1 };
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
