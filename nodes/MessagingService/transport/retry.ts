import { DateTime } from 'luxon';
import type { Failure } from './errors';

/** How often and how long a request is tried. */
export interface RetryRules {
	/** Tries in total. */
	maxTries: number;
	/** How long a request waits for its tries in all. A longer pause of the service is not waited for. */
	maxWaitMs: number;
	/** How long a request may take in total, its retries included. */
	totalMs: number;
}

/** How one try of a request ended. */
export type TryResult = { value: unknown } | { failure: Failure };

const FIRST_BACKOFF_MS = 500;

/**
 * The wait that a `Retry-After` header asks for: seconds, or an HTTP date.
 * @returns undefined where there is no such header, or one that says nothing
 */
export function retryAfterMs(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	const date = DateTime.fromHTTP(header);
	return date.isValid ? Math.max(0, date.toMillis() - Date.now()) : undefined;
}

/** A random wait up to a limit that doubles with every try ("full jitter"). */
export function backoffMs(tries: number): number {
	return Math.random() * FIRST_BACKOFF_MS * 2 ** (tries - 1);
}
