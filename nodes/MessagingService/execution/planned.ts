import type { Batch } from '../recipients/batch';
import type { Complaint } from '../recipients/checks';
import type { RecipientPlan } from '../recipients/plan';
import type { PostRequest } from '../transport/request';
import type { SetDigest } from './whom';

/** One request of a call. */
export interface Planned {
	/** The same in each try of the execution: the call's first input item and, of a divided list, the part. */
	place: string;
	/** The input items that it stands for. */
	rows: readonly number[];
	request: PostRequest;
	/** Whom it reaches, once it was asked for. */
	whom?: SetDigest;
	/** The input items of the whole call. */
	callIndexes: readonly number[];
	batch?: Batch;
	/** Why its one recipient is left out. */
	leftOut?: Complaint;
}

/** One call of an operation: an input item, or all of them. */
export interface Call {
	itemIndexes: readonly number[];
	isDryRun: boolean;
	plan?: RecipientPlan;
	requests: Planned[];
	/** What the user should know about the requests. */
	warnings: string[];
	/** Calls with the same key run one after the other, in the order of the input items. */
	sequenceKey: string | undefined;
}
