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
	planned.digest ??= setDigest(whomOf(operation, planned));
	return planned.digest;
}

/**
 * Tells texts from others, in any order, without keeping them: it adds up two hashes of each.
 * 100,000 numbers take a fifth of the time of sorting them.
 */
export function setDigest(texts: readonly string[]): string {
	let low = 0;
	let high = 0;
	for (const text of texts) {
		low = (low + hash(text, 0x811c9dc5)) >>> 0;
		high = (high + hash(text, 0x01000193)) >>> 0;
	}
	return [texts.length, low, high].map((part) => part.toString(36)).join('.');
}

/** FNV-1a. Each bit is spread over all others, as MurmurHash3 does: sums of similar texts must differ. */
function hash(text: string, start: number): number {
	let value = start;
	for (let index = 0; index < text.length; index++) {
		value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
	}
	value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
	return value ^ (value >>> 16);
}

/** Tells texts apart without keeping them. */
export function digest(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
