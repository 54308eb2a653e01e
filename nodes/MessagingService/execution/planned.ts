import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Batch } from '../parameters/operationInput';
import { personOf } from '../recipients/phoneNumber';
import { numbersIn } from '../reach';
import type { Complaint } from '../reason';
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

/** What a request that was sent, or possibly sent, came to. */
export type Sending = Pick<Receipt, 'sent' | 'response' | 'httpCode'>;

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
export interface Receipt {
	/** `yes`: it was accepted. `possibly`: it may have been. */
	sent: 'yes' | 'possibly';
	/** Of an accepted one: what identifies the response. */
	response?: unknown;
	/** Of the others: the status of the response, where there was one. */
	httpCode?: string | undefined;
	/** What its output says beside the response. */
	known?: IDataObject;
	/** The input item whose list, file or message it is of; of a list of input items, the first. */
	item: number;
	/** Which campaign of its list it creates, from 1. */
	part: number;
	/** Whom it reaches: input items, or rows of a file, in ascending order; of a typed list, none. */
	places: readonly number[];
	/** What tells whether these are the same people now: a digest for each, or two of the rows of a file. */
	digests: readonly string[];
	/** Of a typed list or a file: a digest of the account. */
	account?: string;
	/** Of a typed list: the country of its numbers without country code, if there are such. */
	country?: string;
	/** Of a file: how it was read. */
	format?: string;
	/** Of a typed list: the people with several entries, by their digests. */
	several?: Record<string, SeveralEntries>;
}

/** The entries of a person who has several in a typed list. */
export interface SeveralEntries {
	/** How many there are in the list. */
	count: number;
	/** A digest of all of them. */
	all: string;
	/** Digests of those in the request. */
	sent: string[];
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
