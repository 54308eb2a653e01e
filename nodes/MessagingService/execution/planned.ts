import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { JsonList } from '../jsonList';
import type { Batch } from '../recipients/batch';
import type { Complaint } from '../recipients/checks';
import type { RecipientPlan } from '../recipients/plan';
import type { Operation } from '../resources/operation';
import type { PostRequest } from '../transport/request';

/** One request of a call. */
export interface Planned {
	/** The input items of its call. */
	itemIndexes: readonly number[];
	request: PostRequest;
	/** The recipients of the campaign that it creates. */
	batch?: Batch;
	/** Why its one recipient is left out. */
	leftOut?: Complaint;
	/** Of whom it reaches, once it was asked for. */
	digest?: string;
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

/** The input items that a request stands for. */
export function rowsOf({ batch, itemIndexes }: Planned): readonly number[] {
	return batch?.itemIndexes ?? itemIndexes;
}

/** What tells calls apart, in each try of an execution: the first of their input items. */
export function placeOf(itemIndexes: readonly number[]): string {
	return String(itemIndexes[0] ?? 0);
}

/**
 * Whom a request reaches, by their numbers, or what it changes: equal in each try, even if the message
 * holds the time.
 */
export function whomOf({ recipients }: Operation, { request }: Planned): string[] {
	const { path, query, body = {} } = request;
	const list = recipients === undefined ? undefined : body[recipients.name];
	if (list instanceof JsonList) return [digest(list.content)];
	if (recipients !== undefined && Array.isArray(list)) {
		return (list as IDataObject[]).map((each) => String(each[recipients.numberName]));
	}
	return [String(body.phoneNumber ?? JSON.stringify([path, query, body.storageID]))];
}

/** Tells whom a request reaches from others, in any order, without keeping them. */
export function digestOf(operation: Operation, planned: Planned): string {
	planned.digest ??= digest(whomOf(operation, planned).sort().join());
	return planned.digest;
}

/** Tells texts apart without keeping them. */
export function digest(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
