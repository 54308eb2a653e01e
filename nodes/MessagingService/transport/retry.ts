import { DateTime } from 'luxon';
import { sleep } from 'n8n-workflow';
import { ANSWER_TOO_LARGE } from './answerBody';
import { ADDRESS_BLOCKED, CREDENTIAL_UNUSABLE } from './errors';

/** How often and how long a request is tried. */
export interface RetryRules {
	/** Tries after the first. */
	maxRetries: number;
	/** How long to go on trying after the first failure, waits included. */
	budgetMs: number;
}

/** A request that did not succeed, as far as repeating it is concerned. */
export interface FailedTry {
	method: string;
	/** HTTP status, where the service answered. */
	statusCode?: number;
	/** The `Retry-After` header, where the answer had one. */
	retryAfter?: unknown;
	/** Node's or axios' error code, where there was no answer. */
	code?: string;
}

/** The longest wait that is chosen without the service asking for one. */
const LONGEST_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;

/** Statuses after which reading again can help. */
const READ_AGAIN = new Set([408, 429, 500, 502, 503, 504]);

/** No connection came about, so nothing can have been accepted. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Failures that trying again does not mend: cancelled, or a certificate or protocol that is wrong. */
const LASTING =
	/^(ERR_CANCELED|EPROTO|ERR_SSL_|CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/;

/** The same among our own codes. */
const LASTING_OWN = new Set([ADDRESS_BLOCKED, ANSWER_TOO_LARGE, CREDENTIAL_UNUSABLE]);

/** Whether no connection came about, so that nothing was sent. */
export function isNeverConnected(code: string): boolean {
	return NEVER_CONNECTED.has(code);
}

/**
 * Whether a request may be repeated. One that reads may be, whenever that can help. One that sends
 * may be only where it is certain that nothing was accepted: a message must never go out twice.
 */
export function mayRepeat({ method, statusCode, retryAfter, code = '' }: FailedTry): boolean {
	if (method === 'GET') {
		return statusCode === undefined
			? !LASTING.test(code) && !LASTING_OWN.has(code)
			: READ_AGAIN.has(statusCode);
	}
	if (statusCode === undefined) return isNeverConnected(code);
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
	return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
}

/** Waits; ends at once, with the signal's reason as error, when the execution is cancelled. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (signal === undefined) return await sleep(milliseconds);
	let onAbort: (() => void) | undefined;
	// Older n8n's `sleep` knows no signal.
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => {
			reject(new Error('The execution was cancelled', { cause: signal.reason }));
		};
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
	});
	try {
		await Promise.race([sleep(milliseconds, signal), aborted]);
	} finally {
		if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
	}
}

/** How one try ended: with an answer to use, or with a failure that may be worth another try. */
export type TryResult<Answer> =
	| { answer: Answer; failed?: undefined }
	| { answer?: undefined; failed: FailedTry; error: unknown };

/**
 * Tries a request until it succeeds, may not be repeated, or the rules end it. Then the last
 * failure is thrown.
 * @param attempt makes one try
 * @param wait waits before the next try
 */
export async function withRetries<Answer>(
	rules: RetryRules,
	attempt: () => Promise<TryResult<Answer>>,
	wait: (milliseconds: number, failed: FailedTry) => Promise<void>,
): Promise<Answer> {
	let deadline: number | undefined;
	for (let tries = 1; ; tries++) {
		const result = await attempt();
		if (result.failed === undefined) return result.answer;
		const { failed, error } = result;
		deadline ??= Date.now() + rules.budgetMs;
		const delay = retryAfterMs(failed.retryAfter) ?? backoffMs(tries);
		// A wait that ends after the budget is not begun: it would be for nothing.
		const isOver = tries > rules.maxRetries || Date.now() + delay > deadline;
		if (isOver || !mayRepeat(failed)) throw error;
		await wait(delay, failed);
	}
}
