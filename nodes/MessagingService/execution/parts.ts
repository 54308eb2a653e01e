import type { IDataObject } from 'n8n-workflow';
import type { Batch } from '../recipients/batch';
import type { Complaint } from '../recipients/checks';
import type { Operation, OperationCall } from '../resources/operation';
import type { CostlyCharacters } from '../resources/shared/messageText';
import { isTool } from '../transport/gate';
import { CallRecord, SentByOtherRetry } from './callRecord';
import type { Run } from './runState';
import { doNotContactOf, LeftOut } from './screening';
import type { RecordedCall } from './sentRecord';

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

/**
 * Whether a failure becomes items: where the node continues on errors, and where it sends as the tool
 * of an agent, which must read whether the message may have been sent.
 */
export function isResult({ context, operation }: Pick<Run, 'context' | 'operation'>): boolean {
	return context.continueOnFail() || (operation.reachesPeople === true && isTool(context));
}

/** What the record calls a call: the first of its input items. */
export function nameOf(itemIndexes: readonly number[]): string {
	return String(itemIndexes[0] ?? 0);
}

/** Whether nothing more is started. */
export function isOver({ context, isStopped }: Run): boolean {
	return isStopped || context.getExecutionCancelSignal()?.aborted === true;
}

/** The request of a call, or of one campaign of it; undefined where the run was stopped before. */
export async function makePart(
	run: Run,
	call: OperationCall,
	recorded: RecordedCall,
): Promise<PartResult | undefined> {
	if (isOver(run)) return undefined;
	const part: PartResult = { itemIndexes: recorded.rows, batch: call.batch };
	const record = new CallRecord(run.sent, run.progress, recorded);
	try {
		record.complaintOf = await doNotContactOf(run, call);
		const result = await run.operation.run({ ...call, client: run.connection.forCall(record) });
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
		const { isEarlierFailure } = record;
		run.isStopped ||= !isEarlierFailure && !isResult(run);
		part.failure = { cause, isCertain: await record.isUnsent(), isEarlier: isEarlierFailure };
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
