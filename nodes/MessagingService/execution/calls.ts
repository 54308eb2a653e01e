import type { IDataObject } from 'n8n-workflow';
import type { Batch } from '../recipients/batch';
import type { Complaint } from '../recipients/checks';
import type { RecipientPlan } from '../recipients/plan';
import { planRecipients } from '../recipients/plan';
import type { ListCut, Operation, OperationCall } from '../resources/operation';
import type { CostlyCharacters } from '../resources/shared/messageText';
import { mapConcurrently } from '../transport/concurrency';
import { isTool } from '../transport/gate';
import { screenOf, withoutDoNotContact, LeftOut } from './screening';
import { CallRecord, SentByOtherRetry } from './callRecord';
import { describePlan, plannedRequest, readDryRun } from './dryRun';
import type { Run } from './runState';
import { AnotherDivision, digestOfNumbers, keyOfPart, type RecordedCall } from './sentRecord';

/** What one request of a call came to, or a call that made none. */
export interface PartResult {
	/** The input items that it stands for. */
	itemIndexes: readonly number[];
	batch?: Batch;
	records?: IDataObject[];
	/** What makes its message longer than it need be. */
	costly?: CostlyCharacters;
	/** Why its one recipient was left out. */
	leftOut?: Complaint;
	failure?: { cause: unknown; isCertain: boolean; isEarlier: boolean };
}

/** What one call came to. Parts are missing where the run was stopped before them. */
export interface CallResult {
	itemIndexes: readonly number[];
	plan?: RecipientPlan;
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
		const { operation } = run;
		const warn = (text: string) => void result.warnings.push(text);
		const noteCut = (cut: ListCut) => void result.cuts.push(cut);
		const call: OperationCall = { ...made, warn, noteCut };
		result.isDryRun = operation.reachesPeople === true && readDryRun(parameters);
		const { recipients } = operation;
		result.plan =
			recipients === undefined
				? undefined
				: planRecipients(recipients, call, await screenOf(run, recipients, call));
		if (result.isDryRun) {
			result.parts = await mapConcurrently(batchesOf(result.plan), run.concurrency, async (batch) =>
				planPart(run, { ...call, batch }, result.plan),
			);
			return result;
		}
		const planned = batchesOf(result.plan).map((batch) => recordedCall(call, result.plan, batch));
		if (result.plan !== undefined) await assertSendable(run, call, result.plan, planned);
		const parts = await mapConcurrently(
			batchesOf(result.plan),
			run.concurrency,
			async (batch, index) => makePart(run, { ...call, batch }, planned[index] as RecordedCall),
		);
		result.parts = parts.filter((part) => part !== undefined);
	} catch (cause) {
		run.isStopped ||= !isResult(run);
		const isCertain = !(cause instanceof AnotherDivision) && !run.sent.isKnown(nameOf(itemIndexes));
		result.parts = [{ itemIndexes, failure: { cause, isCertain, isEarlier: false } }];
	}
	return result;
}

/**
 * Whether a failure becomes items: where the node continues on errors, and where it sends as the tool
 * of an agent, which must read whether the message may have been sent.
 */
export function isResult({ context, operation }: Pick<Run, 'context' | 'operation'>): boolean {
	return context.continueOnFail() || (operation.reachesPeople === true && isTool(context));
}

/** What the record calls a call: the first of its input items. */
function nameOf(itemIndexes: readonly number[]): string {
	return String(itemIndexes[0] ?? 0);
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
		requests: plan.isItems ? 1 : batch.parts,
		recipients: digestOfNumbers(batch.recipients, plan.numberName),
	};
}

/** Whether nothing more is started. */
export function isOver({ context, isStopped }: Run): boolean {
	return isStopped || context.getExecutionCancelSignal()?.aborted === true;
}

/** The request of a call, or of one campaign of it; undefined where the run was stopped before. */
async function makePart(
	run: Run,
	call: OperationCall,
	recorded: RecordedCall,
): Promise<PartResult | undefined> {
	if (isOver(run)) return undefined;
	const part: PartResult = { itemIndexes: recorded.rows, batch: call.batch };
	const record = new CallRecord(run.sent, run.progress, recorded);
	try {
		const client = await withoutDoNotContact(run, call, run.connection.forCall(record));
		const result = await run.operation.run({ ...call, client });
		const records = withSent(run.operation, Array.isArray(result) ? result : [result], record);
		part.costly = record.costly;
		const startDateTime = call.batch?.startDateTime;
		part.records =
			startDateTime === undefined ? records : records.map((json) => ({ ...json, startDateTime }));
	} catch (cause) {
		if (cause instanceof SentByOtherRetry) {
			part.records = [{ sent: 'yes', sentByOtherRetry: true }];
			return part;
		}
		if (cause instanceof LeftOut) {
			part.leftOut = cause.complaint;
			return part;
		}
		const { isTouched, isEarlierFailure } = record;
		const isCertain = !isTouched && !run.sent.has(recorded.key);
		part.failure = { cause, isCertain, isEarlier: isEarlierFailure };
		run.isStopped ||= !isEarlierFailure && !isResult(run);
	}
	return part;
}

function withSent({ reachesPeople }: Operation, records: IDataObject[], record: CallRecord) {
	if (reachesPeople !== true) return records;
	const { isAccepted, isSimulated, isRepeat } = record;
	const about: IDataObject = {
		...(isAccepted ? { sent: 'yes' } : {}),
		...(isSimulated ? { sent: 'no', simulated: true } : {}),
		...(isRepeat ? { alreadySent: true } : {}),
	};
	return records.map((json): IDataObject => ({ ...json, ...about }));
}

async function planPart(
	run: Run,
	call: OperationCall,
	plan: RecipientPlan | undefined,
): Promise<PartResult> {
	const { operation, connection } = run;
	const { batch } = call;
	const itemIndexes = rowsOfPlan(call, plan);
	const [planned] = await Promise.allSettled([
		plannedRequest(connection, async (planning) =>
			operation.run({ ...call, client: await withoutDoNotContact(run, call, planning) }),
		),
	]);
	if (planned.status === 'rejected') {
		if (!(planned.reason instanceof LeftOut)) throw planned.reason;
		const { message: reason } = planned.reason;
		return { itemIndexes, batch, records: [{ dryRun: true, wouldSend: false, reason }] };
	}
	const request = planned.value;
	const described = describePlan(request, operation, plan, call);
	const refusal = request === undefined ? undefined : await connection.review(request);
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
