import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import type { EarlierOutcome, RequestRecord } from '../transport/requestRecord';

/** What is known about one sending request: accepted with its answer, or nobody knows. */
type Entry = { hash: string; response?: unknown } | { hash: string; failure: Failure };

/** What is kept in the node's context, as plain JSON. */
interface StoredRecord {
	runIndex: number;
	entries: Record<string, Entry>;
}

/**
 * Remembers, within one execution, what the service has accepted. n8n's "Retry On Fail" runs the
 * node again with all its items, and "Retry" in the list of executions goes on where one failed:
 * what is in the record is not sent again.
 *
 * It lives in the node's context, which n8n keeps with the execution. It is removed when the node
 * is done, so that it stays in the data of failed executions only.
 */
export class SentRecord {
	private readonly context: { sent?: StoredRecord };
	private readonly stored: StoredRecord;

	constructor(context: IExecuteFunctions) {
		this.context = context.getContext('node') as { sent?: StoredRecord };
		const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		const found = this.context.sent;
		// In a loop, the same items and texts are meant to go out again.
		this.stored = found?.runIndex === runIndex ? found : { runIndex, entries: {} };
		this.context.sent = this.stored;
	}

	/**
	 * The record of one call: of an input item, or of the first of those that it stands for.
	 * @param isOnly the node makes no other: once it is accepted, nothing can fail any more
	 */
	of(itemIndex: number, part = 1, isOnly = false): CallRecord {
		const key = part === 1 ? `${itemIndex}` : `${itemIndex}.${part}`;
		return new CallRecord(this.stored.entries, key, isOnly);
	}

	/** First input items of the calls that were accepted, and of those of which nobody knows. */
	outcomes(): { accepted: number[]; uncertain: number[] } {
		const accepted: number[] = [];
		const uncertain: number[] = [];
		for (const [key, entry] of Object.entries(this.stored.entries)) {
			('failure' in entry ? uncertain : accepted).push(Math.trunc(Number(key)));
		}
		return { accepted, uncertain };
	}

	/** The node is done: nothing of this run will be tried again. */
	clear() {
		delete this.context.sent;
	}
}

/** The record of the one sending request that a call makes. */
export class CallRecord implements RequestRecord {
	private readonly entries: Record<string, Entry>;
	private readonly key: string;
	private readonly isOnly: boolean;

	constructor(entries: Record<string, Entry>, key: string, isOnly: boolean) {
		this.entries = entries;
		this.key = key;
		this.isOnly = isOnly;
	}

	/** What an earlier try came to, if it made this very request. */
	async earlier(request: ServiceRequest): Promise<EarlierOutcome | undefined> {
		const entry = this.entries[this.key];
		if (entry === undefined || entry.hash !== hashOf(request)) return undefined;
		return 'failure' in entry ? { failure: entry.failure } : { response: entry.response };
	}

	async starting() {
		// The record knows requests by what they come to.
	}

	accepted(request: ServiceRequest, response: unknown) {
		// Hashing a campaign of 100,000 takes as long as sending it.
		if (this.isOnly) return;
		this.entries[this.key] = { hash: hashOf(request), response };
	}

	possiblySent(request: ServiceRequest, failure: Failure) {
		this.entries[this.key] = { hash: hashOf(request), failure };
	}

	notSent() {
		// It may be sent in the next try.
	}
}

/** Tells requests apart without keeping what they hold. */
function hashOf({ method, path, query, body }: ServiceRequest): string {
	return createHash('sha256')
		.update(JSON.stringify([method, path, query, body]))
		.digest('base64')
		.slice(0, 22);
}
