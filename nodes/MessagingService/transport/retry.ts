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
function backoffMs(tries: number): number {
	return Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
}

/**
 * Tries a request until it succeeds or must not be tried again: only what was certainly not sent is,
 * where that can help, since a message must never go out twice.
 * @param attempt makes one try, which may take so many milliseconds
 * @param wait waits before the next try
 */
export async function withRetries(
	{ maxRetries, budgetMs, totalMs = Infinity }: RetryRules,
	attempt: (limitMs: number) => Promise<TryResult>,
	wait: (milliseconds: number) => Promise<void>,
): Promise<TryResult> {
	const end = Date.now() + totalMs;
	let deadline = end;
	for (let tries = 1; ; tries++) {
		const result = await attempt(end - Date.now());
		if ('value' in result) return result;
		const { sent, retry } = result.failure;
		deadline = Math.min(deadline, Date.now() + budgetMs);
		const delay = retry?.afterMs ?? backoffMs(tries);
		// A wait that ends after the deadline is not started: it would be for nothing.
		const isOver = tries > maxRetries || Date.now() + delay > deadline;
		if (isOver || retry === undefined || sent === 'possibly') return result;
		await wait(delay);
	}
}
