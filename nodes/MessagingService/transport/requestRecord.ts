import type { Failure } from './errors';
import type { ServiceRequest } from './request';

/** What a request came to in an earlier try of the execution. */
export type EarlierOutcome = { response: unknown } | { failure: Failure };

/**
 * Remembers the result of the sending request of a call, and knows that of an earlier try.
 * For each request that is not a GET, `earlier` is asked first; where it knows nothing, `starting`
 * follows, and at the end exactly one of the outcomes, also when the execution is canceled.
 */
export interface RequestRecord {
	/**
	 * What is known of this very request from earlier: its response, or a failure after which it may
	 * have been accepted. May ask a store.
	 */
	earlier(request: ServiceRequest): Promise<EarlierOutcome | undefined>;
	/** The request is about to be sent. Throws where it must not be. */
	starting(request: ServiceRequest): Promise<void>;
	accepted(request: ServiceRequest, response: unknown): void;
	/** The request may have been accepted. */
	possiblySent(request: ServiceRequest, failure: Failure): void;
	/** It is certain that the request was not accepted. */
	notSent(request: ServiceRequest, failure: Failure): void;
	/** The sending policy only simulates: the request was not sent, and its response is made up. */
	simulated(request: ServiceRequest): void;
	/** An agent's identical request was accepted earlier: it was not sent a second time. */
	repeated(request: ServiceRequest): void;
}
