import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Batch } from '../parameters/operationInput';
import { personOf } from '../recipients/phoneNumber';
import type { Receipt } from './receipts';
import type { Result } from './rows';
import { numbersIn } from '../reach';
import type { Complaint } from '../reason';
import type { RecipientPlan } from '../recipients/plan';
import type { OperationRequest } from '../resources/operation';

/** One request of a job, planned before any is sent. */
export interface PlannedRequest {
	/** The input items of its job. */
	itemIndexes: readonly number[];
	request: OperationRequest;
	/** The recipients of the campaign that it creates. */
	batch?: Batch;
	/** Why its one recipient is left out. */
	leftOut?: Complaint;
	/** Tells the account from others. */
	account: string;
	/** What its output says beside the response and what is known of the request. */
	about?: IDataObject;
	/** Of a typed list or a file: makes what recognizes the recipients of a batch in a later try. */
	tracing?(batch: Batch): () => Trace;
}

/** What recognizes the recipients of a request in a later try. */
export type Trace = Pick<
	Receipt,
	'places' | 'digests' | 'account' | 'country' | 'format' | 'several'
>;

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
export type Sending =
	/** It was accepted: what identifies the response. */
	| { response: unknown }
	/** It may have been accepted. */
	| { possiblySent: true; httpCode?: string };

/** What the operation does for one input item, or for all of them. */
export interface Job {
	itemIndexes: readonly number[];
	isDryRun: boolean;
	plan?: RecipientPlan;
	/** Those that are left to send. */
	requests: PlannedRequest[];
	/** Of a typed list: what the requests of earlier tries came to. */
	earlier: Result[];
	/** What the user should know about the requests. */
	warnings: string[];
}

/** The input items that a request stands for. */
export function rowsOf({ batch, itemIndexes }: PlannedRequest): readonly number[] {
	return batch?.itemIndexes ?? itemIndexes;
}

/**
 * Whom a request reaches, by their numbers, or what it changes: equal in each try, even if the message
 * holds the time.
 */
export function whomOf({
	request: { reaches, path, query, changes },
}: PlannedRequest): readonly unknown[] {
	return numbersIn(reaches) ?? [JSON.stringify([path, query, changes])];
}

/** What recognizes a request for input items in a later try: these, with whom each of them reaches. */
export function traceOf(planned: PlannedRequest): Trace {
	const { account } = planned;
	const digests = whomOf(planned).map((each) => rowDigest(account, personOf(each)));
	return { places: rowsOf(planned), digests };
}

/** Enough for a check of what an index says. */
const CHECK_CHARACTERS = 4;

/** Whom an input item reaches, and with which account. */
export function rowDigest(account: string, person: string): string {
	return digest([account, person]).slice(0, CHECK_CHARACTERS);
}

/** Tells texts apart without keeping them. */
export function digest(texts: readonly unknown[]): string {
	return createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 22);
}
