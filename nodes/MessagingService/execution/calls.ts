import partition from 'lodash/partition';
import type { Batch } from '../recipients/batch';
import { isFromFile } from '../recipients/fields';
import type { RecipientPlan } from '../recipients/plan';
import { planRecipients } from '../recipients/plan';
import type { ListCut, Operation, OperationCall } from '../resources/operation';
import { isForFileRows } from '../resources/shared/fileRows';
import { mapConcurrently } from '../transport/concurrency';
import type { Failure } from '../transport/errors';
import { describePlan, plannedRequest, readDryRun } from './dryRun';
import { makeFileCall, type FileOutcome } from './fileCall';
import { runFileRows } from './fileRows';
import { isOver, isResult, makePart, nameOf, type PartResult } from './parts';
import { reviewCampaigns } from './review';
import type { Run } from './runState';
import { doNotContactOf, screenOf } from './screening';
import { digestOfNumbers, keyOfPart, type RecordedCall } from './sentRecord';

/** What one call came to. Parts are missing where the run was stopped before them. */
export interface CallResult {
	itemIndexes: readonly number[];
	plan?: RecipientPlan;
	/** Where the recipients are a file, which has its campaigns and its failure: no parts. */
	file?: FileOutcome;
	parts: PartResult[];
	isDryRun: boolean;
	/** What the user should know about the requests. */
	warnings: string[];
	/** Lists that ended at Limit. */
	cuts: ListCut[];
}

/** Makes one call: plans its recipients, then makes its requests. Failures are in the result. */
export async function makeCall(run: Run, made: OperationCall): Promise<CallResult> {
	const { itemIndexes, parameters } = made;
	const result: CallResult = { itemIndexes, parts: [], isDryRun: false, warnings: [], cuts: [] };
	try {
		if (isOver(run)) return result;
		const { context, operation } = run;
		const warn = (text: string) => void result.warnings.push(text);
		const noteCut = (cut: ListCut) => void result.cuts.push(cut);
		const call: OperationCall = { ...made, warn, noteCut };
		result.isDryRun = operation.reachesPeople === true && readDryRun(parameters);
		const { recipients } = operation;
		if (readsRows(operation, context)) {
			result.file = await runFileRows(run, call, operation.mappable ?? []);
			return result;
		}
		if (isFromFile(recipients, context)) {
			result.file = await makeFileCall(run, call, recipients, result.isDryRun);
			return result;
		}
		result.plan =
			recipients === undefined
				? undefined
				: planRecipients(recipients, call, await screenOf(run, recipients, call));
		const planned = batchesOf(result.plan).map((batch) => recordedCall(call, result.plan, batch));
		if (result.isDryRun) {
			const refusal = (await reviewCampaigns(run, call, result.plan, planned))?.failure;
			result.parts = await mapConcurrently(batchesOf(result.plan), run.concurrency, async (batch) =>
				planPart(run, { ...call, batch }, result.plan, refusal),
			);
			return result;
		}
		if (result.plan !== undefined) await assertSendable(run, call, result.plan, planned);
		result.parts = await makeParts(run, call, result.plan, planned);
	} catch (cause) {
		run.isStopped ||= !isResult(run);
		result.parts = await partsOfFailed(run, result, cause);
	}
	return result;
}

/** A call that has failed as a whole: earlier tries may have sent some of its rows. */
async function partsOfFailed(
	{ operation, sent }: Run,
	{ itemIndexes, isDryRun }: CallResult,
	cause: unknown,
): Promise<PartResult[]> {
	const name = nameOf(itemIndexes);
	const known = sent.earlierRows(name);
	const isList = operation.recipients !== undefined;
	const isUnclaimed = isDryRun || (await sent.isCallUnclaimed(name, isList));
	const [certain, open] = partition(itemIndexes, (row) => isUnclaimed && !known.has(row));
	const part = (rows: readonly number[], isCertain: boolean): PartResult[] =>
		rows.length === 0
			? []
			: [{ itemIndexes: rows, failure: { cause, isCertain, isEarlier: false } }];
	return [...part(certain, true), ...part(open, false)];
}

/** Makes the requests of a call, unless the sending policy refuses all that were not sent yet. */
async function makeParts(
	run: Run,
	call: OperationCall,
	plan: RecipientPlan | undefined,
	planned: readonly RecordedCall[],
): Promise<PartResult[]> {
	const refused = await reviewCampaigns(run, call, plan, planned);
	const parts = await mapConcurrently(batchesOf(plan), run.concurrency, async (batch, index) => {
		const recorded = planned[index] as RecordedCall;
		const isRefused = refused?.keys.has(recorded.key) === true;
		return isRefused ? undefined : await makePart(run, { ...call, batch }, recorded);
	});
	run.isStopped ||= refused !== undefined && !isResult(run);
	return [...(refused?.parts ?? []), ...parts.filter((part) => part !== undefined)];
}

/** Whether an operation runs for the rows of a file. */
function readsRows({ canReadRows }: Operation, context: OperationCall['context']): boolean {
	return canReadRows === true && isForFileRows(context);
}

/** Whether a call reads a file: it makes many requests of its own. */
export function readsFile({ operation, context }: Pick<Run, 'operation' | 'context'>): boolean {
	return readsRows(operation, context) || isFromFile(operation.recipients, context);
}

function batchesOf(plan: RecipientPlan | undefined): (Batch | undefined)[] {
	return plan?.batches ?? [undefined];
}

/** @throws InputError when the recipients forbid sending */
async function assertSendable(
	{ sent, progress }: Run,
	{ itemIndexes }: OperationCall,
	plan: RecipientPlan,
	planned: readonly RecordedCall[],
): Promise<void> {
	if (plan.obstacle !== undefined) throw plan.obstacle;
	await sent.assertDivision(nameOf(itemIndexes), planned);
	if (!plan.isItems) progress.expect(itemIndexes, plan.batches.length);
}

/** What the record must know of the request of a call, or of one campaign of it. */
function recordedCall(
	{ itemIndexes }: OperationCall,
	plan: RecipientPlan | undefined,
	batch: Batch | undefined,
): RecordedCall {
	const key = keyOfPart(nameOf(itemIndexes), batch?.part);
	if (plan === undefined || batch === undefined) return { key, rows: itemIndexes, requests: 1 };
	return {
		key,
		rows: batch.itemIndexes,
		requests: plan.isItems ? 1 : (batch.parts ?? 1),
		recipients: digestOfNumbers(batch.recipients, plan.numberName),
	};
}

/** @param refusedAll why the sending policy refuses all campaigns of the call */
async function planPart(
	run: Run,
	call: OperationCall,
	plan: RecipientPlan | undefined,
	refusedAll: Failure | undefined,
): Promise<PartResult> {
	const { operation, connection } = run;
	const { batch } = call;
	const itemIndexes = rowsOfPlan(call, plan);
	const request = await plannedRequest(connection, async (client) =>
		operation.run({ ...call, client }),
	);
	const complaintOf = await doNotContactOf(run, call);
	const reason = request === undefined ? undefined : complaintOf?.(request)?.reason;
	if (reason !== undefined) {
		return { itemIndexes, batch, records: [{ dryRun: true, wouldSend: false, reason }] };
	}
	const described = describePlan(request, operation, plan, call);
	const refusal =
		refusedAll ??
		(request === undefined ? undefined : await connection.startReview().refusalOf(request));
	if (refusal !== undefined && described.wouldSend === true) {
		described.wouldSend = false;
		described.reason = `${refusal.message}. ${refusal.description}`;
	}
	return { itemIndexes, batch, records: [described] };
}

/** The input items that the plan of a campaign is about: the first one lists those left out. */
function rowsOfPlan(
	{ itemIndexes, batch }: OperationCall,
	plan?: RecipientPlan,
): readonly number[] {
	if (batch === undefined || batch.parts === 1 || plan?.isItems !== true) return itemIndexes;
	if (batch.part > 1) return batch.itemIndexes;
	const skipped = plan.skipped.map(({ itemIndex }) => itemIndex);
	return [...batch.itemIndexes, ...skipped].sort((a, b) => a - b);
}
