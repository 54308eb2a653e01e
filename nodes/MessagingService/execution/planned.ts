import type { IDataObject } from 'n8n-workflow';
import type { Complaint } from '../recipients/checks';
import type { Batch, RecipientPlan } from '../recipients/plan';
import type { Operation } from '../resources/operation';
import type { PostRequest } from '../transport/request';
import { SetDigest } from './digest';

/** One request of a call. */
export interface Planned {
	/** The input items of its call. */
	itemIndexes: readonly number[];
	request: PostRequest;
	/** The recipients of the campaign that it creates. */
	batch?: Batch;
	/** Why its one recipient is left out. */
	leftOut?: Complaint;
	/** Whom it reaches, once it was asked for. */
	whom?: SetDigest;
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
export function whomOf({ recipients }: Operation, planned: Planned): SetDigest {
	if (planned.whom !== undefined) return planned.whom;
	const { path, query, body = {} } = planned.request;
	const whom = new SetDigest();
	const list = recipients === undefined ? undefined : body[recipients.name];
	if (recipients !== undefined && Array.isArray(list)) {
		for (const each of list as IDataObject[]) whom.add(String(each[recipients.numberName]));
	} else {
		whom.add(String(body.phoneNumber ?? JSON.stringify([path, query, body.storageID])));
	}
	planned.whom = whom;
	return whom;
}
