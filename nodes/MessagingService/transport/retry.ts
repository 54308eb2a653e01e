import { DateTime } from 'luxon';
import { sleep } from 'n8n-workflow';
import { connectionProblem } from './connectionProblems';

/** How often and how long a request is tried. */
export interface RetryRules {
	/** Tries after the first. */
	maxRetries: number;
	/** How long to go on trying after the first failure, waits included. */
	budgetMs: number;
	/** How long a request may take in total, its retries included; unlimited where it is not set. */
	totalMs?: number;
}

/** A request that did not succeed, as far as repeating it is concerned. */
export interface FailedTry {
	method: string;
	/** HTTP status, where the service responded. */
	statusCode?: number;
	/** The `Retry-After` header, where the response had one. */
	retryAfter?: unknown;
	/** Node's or axios' error code, where there was no response. */
	code?: string;
}

/** The maximum wait that is chosen without the service asking for one. */
const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;

/** What a timer can count: a longer one would end immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Statuses after which reading again can help. */
const READ_AGAIN = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Whether a request may be repeated. One that reads may be, whenever that can help. One that sends
 * may be only where it is certain that nothing was accepted: a message must never go out twice.
 */
export function mayRepeat({ method, statusCode, retryAfter, code = '' }: FailedTry): boolean {
	if (statusCode === undefined) {
		const { isNotSent, isLasting } = connectionProblem(code);
		return !isLasting && (method === 'GET' || isNotSent);
	}
	if (method === 'GET') return READ_AGAIN.has(statusCode);
	return statusCode === 429 || (statusCode === 503 && retryAfterMs(retryAfter) !== undefined);
}

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
export function backoffMs(tries: number, random = Math.random): number {
	return random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
}

/** Waits; ends immediately, with an error, when the execution is canceled. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const delay = Math.min(milliseconds, MAX_TIMER_MS);
	if (signal === undefined) return await sleep(delay);
	let onAbort: (() => void) | undefined;
	// Older n8n's `sleep` knows no signal.
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => {
			reject(new Error('The execution was canceled', { cause: signal.reason }));
		};
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
	});
	try {
		await Promise.race([sleep(delay, signal), aborted]);
	} finally {
		if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
	}
}

/** How one try ended: with a response to use, or with a failure that may be worth another try. */
export type TryResult<Response> =
	| { response: Response; failed?: undefined }
	| { response?: undefined; failed: FailedTry; error: unknown };

/**
 * Tries a request until it succeeds, may not be repeated, or the rules end it. Then the last
 * failure is thrown.
 * @param attempt makes one try, which may take so many milliseconds
 * @param wait waits before the next try
 */
export async function withRetries<Response>(
	{ maxRetries, budgetMs, totalMs = Infinity }: RetryRules,
	attempt: (limitMs: number) => Promise<TryResult<Response>>,
	wait: (milliseconds: number) => Promise<void>,
): Promise<Response> {
	const end = Date.now() + totalMs;
	let deadline = Infinity;
	for (let tries = 1; ; tries++) {
		const result = await attempt(end - Date.now());
		if (result.failed === undefined) return result.response;
		const { failed, error } = result;
		deadline = Math.min(deadline, Date.now() + budgetMs);
		const delay = retryAfterMs(failed.retryAfter) ?? backoffMs(tries);
		const resumed = Date.now() + delay;
		// A wait that ends after the deadline is not started: it would be for nothing.
		const isOver = tries > maxRetries || resumed > deadline || resumed >= end;
		if (isOver || !mayRepeat(failed)) throw error;
		await wait(delay);
	}
}
