import { DateTime } from 'luxon';
import type { Failure } from './errors';

/** How often and how long a request is tried. */
export interface RetryRules {
	/** Tries after the first. */
	maxRetries: number;
	/** How long to go on trying after the first failure, waits included. */
	budgetMs: number;
	/** How long a request may take in total, its retries included; unlimited where it is not set. */
	totalMs?: number;
}

/** How one try of a request ended. */
export type TryResult = { value: unknown } | { failure: Failure };

/** The maximum wait that is chosen without the service asking for one. */
const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;

/**
 * The wait that a `Retry-After` header asks for: seconds, or an HTTP date.
 * @returns undefined where there is no such header, or one that says nothing
 */
export function retryAfterMs(header: unknown, now = Date.now()): number | undefined {
	const value = Array.isArray(header) ? (header[0] as unknown) : header;
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now) : undefined;
}

/** A random wait up to a limit that doubles with every try ("full jitter"). */
export function backoffMs(tries: number): number {
	return Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
}
