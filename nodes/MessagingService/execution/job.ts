import { createHash } from 'crypto';
import type { Batch } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import type { Complaint } from '../reason';
import type { RecipientPlan } from '../recipients/plan';
import type { OperationRequest } from '../resources/operation';

/** One request of a job, planned before any is sent. */
export interface Planned {
	/** The input items of its job. */
	itemIndexes: readonly number[];
	request: OperationRequest;
	/** The recipients of the campaign that it creates. */
	batch?: Batch;
	/** Why its one recipient is left out. */
	leftOut?: Complaint;
}

/** What the operation does for one input item, or for all of them. */
export interface Job {
	itemIndexes: readonly number[];
	isDryRun: boolean;
	plan?: RecipientPlan;
	requests: Planned[];
	/** What the user should know about the requests. */
	warnings: string[];
}

/** The input items that a request stands for. */
export function rowsOf({ batch, itemIndexes }: Planned): readonly number[] {
	return batch?.itemIndexes ?? itemIndexes;
}

/**
 * Whom a request reaches, by their numbers, or what it changes: equal in each try, even if the message
 * holds the time.
 */
export function whomOf({
	request: { reaches, path, query, changes },
}: Planned): readonly unknown[] {
	return numbersIn(reaches) ?? [JSON.stringify([path, query, changes])];
}

/** Tells texts apart without keeping them. */
export function digest(texts: readonly unknown[]): string {
	return createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 22);
}
