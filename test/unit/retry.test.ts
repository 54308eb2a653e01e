import { getEventListeners } from 'node:events';
import {
	backoffMs,
	mayRepeat,
	pause,
	retryAfterMs,
	withRetries,
	type FailedTry,
	type TryResult,
} from '../../nodes/MessagingService/transport/retry';

describe('Retry-After', () => {
	const now = Date.parse('2030-05-17T09:30:00Z');

	test.each([
		['0', 0],
		['120', 120_000],
		['1.25', 1250],
		['0.0001', 1],
		['5 minutes', undefined],
		['about 5', undefined],
		['1.x', undefined],
		[{ seconds: 5 }, undefined],
		[null, undefined],
		[' 3 ', 3000],
		[7, 7000],
		[['5', '9'], 5000],
		['Fri, 17 May 2030 09:30:30 GMT', 30_000],
		['Friday, 17-May-30 09:31:00 GMT', 60_000],
		['Fri May 17 09:30:05 2030', 5000],
		['Fri, 17 May 2030 09:00:00 GMT', 0],
		['soon', undefined],
		['', undefined],
		['-5', undefined],
		[undefined, undefined],
	])('%j', (header, expected) => {
		expect(retryAfterMs(header, now)).toBe(expected);
	});
});

describe('backoff', () => {
	test('doubles its limit with every try, up to 30 seconds', () => {
		const limits = [1, 2, 3, 4, 7, 8, 50].map((tries) => backoffMs(tries, () => 1));
		expect(limits).toEqual([500, 1000, 2000, 4000, 30_000, 30_000, 30_000]);
	});

	test('is anywhere between nothing and its limit', () => {
		expect(backoffMs(1, () => 0)).toBe(0);
		expect(backoffMs(3, () => 0.25)).toBe(500);
	});
});

describe('which request may be repeated', () => {
	const statuses = [400, 401, 404, 408, 409, 429, 500, 501, 502, 503, 504];

	test('one that reads, after statuses that may pass', () => {
		expect(statuses.filter((statusCode) => mayRepeat({ method: 'GET', statusCode }))).toEqual([
			408, 429, 500, 502, 503, 504,
		]);
	});

	test('one that sends, only where nothing was accepted', () => {
		expect(statuses.filter((statusCode) => mayRepeat({ method: 'POST', statusCode }))).toEqual([
			429,
		]);
		expect(mayRepeat({ method: 'POST', statusCode: 503, retryAfter: '1' })).toBe(true);
		expect(mayRepeat({ method: 'POST', statusCode: 503, retryAfter: 'soon' })).toBe(false);
		expect(mayRepeat({ method: 'POST', statusCode: 500, retryAfter: '1' })).toBe(false);
		expect(mayRepeat({ method: 'POST' })).toBe(false);
	});

	const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', ''];
	const lasting = [
		...['ERR_CANCELED', 'EPROTO', 'CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN'],
		...['ERR_ADDRESS_BLOCKED', 'ERR_RESPONSE_TOO_LARGE', 'ERR_INVALID_CREDENTIAL'],
		...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
		...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	];

	test('after connections that failed', () => {
		const repeated = (method: string) =>
			[...codes, ...lasting].filter((code) => mayRepeat({ method, code }));
		expect(repeated('GET')).toEqual(codes);
		expect(repeated('POST')).toEqual(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
	});
});

describe('trying again', () => {
	const failed: FailedTry = { method: 'GET', statusCode: 503, retryAfter: '10' };
	const rules = { maxRetries: 3, budgetMs: 60_000 };

	/** Responds with these results, one after the other. */
	function responding(...results: TryResult<string>[]) {
		const waits: number[] = [];
		let tries = 0;
		const attempt = async () => results[Math.min(tries++, results.length - 1)] as TryResult<string>;
		const wait = async (milliseconds: number) => {
			waits.push(milliseconds);
		};
		return { attempt, wait, waits, tries: () => tries };
	}

	test('ends with the first response', async () => {
		const { attempt, wait, waits } = responding(
			{ failed, error: new Error('1') },
			{ response: 'yes' },
		);
		expect(await withRetries(rules, attempt, wait)).toBe('yes');
		expect(waits).toEqual([10_000]);
	});

	test('ends with the last failure after all retries', async () => {
		const { attempt, wait, tries } = responding({ failed, error: new Error('failed') });
		await expect(withRetries(rules, attempt, wait)).rejects.toThrow('failed');
		expect(tries()).toBe(4);
	});

	test('does not begin a wait beyond the time limit', async () => {
		const { attempt, wait, waits, tries } = responding({ failed, error: new Error('failed') });
		await expect(withRetries({ ...rules, budgetMs: 9000 }, attempt, wait)).rejects.toThrow();
		expect(waits).toEqual([]);
		expect(tries()).toBe(1);
	});

	test('gives each try what is left of the total time, and ends with it', async () => {
		jest.useFakeTimers({ now: 0 });
		try {
			const limits: number[] = [];
			const attempt = async (limitMs: number): Promise<TryResult<string>> => {
				limits.push(limitMs);
				jest.setSystemTime(Date.now() + 4000);
				return {
					failed: { method: 'GET', statusCode: 503, retryAfter: '1' },
					error: new Error('x'),
				};
			};
			const wait = async (milliseconds: number) => {
				jest.setSystemTime(Date.now() + milliseconds);
			};
			const limited = { maxRetries: 9, budgetMs: 60_000, totalMs: 15_000 };
			await expect(withRetries(limited, attempt, wait)).rejects.toThrow('x');
			expect(limits).toEqual([15_000, 10_000, 5000]);
		} finally {
			jest.useRealTimers();
		}
	});

	test('fails immediately where repeating is forbidden', async () => {
		const { attempt, wait, tries } = responding({
			failed: { method: 'POST', statusCode: 500 },
			error: new Error('failed'),
		});
		await expect(withRetries(rules, attempt, wait)).rejects.toThrow('failed');
		expect(tries()).toBe(1);
	});
});

describe('a pause', () => {
	test('ends when the execution is cancelled', async () => {
		const controller = new AbortController();
		const paused = pause(3_600_000, controller.signal);
		controller.abort('stopped by hand');
		await expect(paused).rejects.toThrow(
			new Error('The execution was canceled', { cause: 'stopped by hand' }),
		);
	});

	test('does not begin when the execution is cancelled already', async () => {
		await expect(pause(3_600_000, AbortSignal.abort('before'))).rejects.toThrow(
			new Error('The execution was canceled', { cause: 'before' }),
		);
	});

	test('of more than a timer can count does not end immediately', async () => {
		const controller = new AbortController();
		const paused = pause(1e12, controller.signal);
		const first = await Promise.race([paused.catch(() => 'ended'), pause(20).then(() => 'waits')]);
		expect(first).toBe('waits');
		controller.abort();
		await expect(paused).rejects.toThrow('The execution was canceled');
	});

	test('ends by itself, and leaves nothing behind at the signal', async () => {
		await expect(pause(1)).resolves.toBeUndefined();
		const { signal } = new AbortController();
		await expect(pause(1, signal)).resolves.toBeUndefined();
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});
