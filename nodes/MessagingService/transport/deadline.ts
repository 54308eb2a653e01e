import type { IHttpRequestOptions } from 'n8n-workflow';
import { MAX_RESPONSE_BYTES, RESPONSE_TOO_LARGE } from './connectionProblems';
import type { HttpResponse, Port } from './port';
import type { ServiceResponse } from './request';

/**
 * Does something that ends when its time is over, or when the execution is canceled.
 * @param task takes what ends it
 * @throws what the task throws, or an error with the code of a timeout
 */
export async function limited<Value>(
	limitMs: number,
	signal: AbortSignal | undefined,
	task: (ending: AbortSignal) => Promise<Value>,
): Promise<Value> {
	const ending = new AbortController();
	const end = () => {
		ending.abort();
	};
	const limit = AbortSignal.timeout(Math.max(1, Math.ceil(limitMs)));
	// By listeners that are removed: AbortSignal.any keeps a kilobyte of each request. Node.js 20 may
	// log a warning that there are many of them.
	limit.addEventListener('abort', end);
	signal?.addEventListener('abort', end);
	try {
		return await task(ending.signal);
	} catch (error) {
		throw limit.aborted ? Object.assign(new Error(), { code: 'ETIMEDOUT' }) : error;
	} finally {
		limit.removeEventListener('abort', end);
		signal?.removeEventListener('abort', end);
	}
}

/** Fails when a signal ends: for what goes on without the one who waits for it. */
export async function whenAborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_, reject) => {
		signal.addEventListener('abort', () => {
			reject(Object.assign(new Error(), { code: 'ERR_CANCELED' }));
		});
	});
}

/**
 * Sends a signed request and reads the response as text, without judging it.
 * @param timeoutMs how long all of it may take
 * @throws the error of n8n's HTTP helper, or one with the code of a timeout
 */
export async function responseTo(
	{ http, signal, ignoresSslIssues }: Port & { ignoresSslIssues: boolean },
	request: IHttpRequestOptions,
	timeoutMs: number,
): Promise<ServiceResponse> {
	const timeout = Math.max(1, Math.ceil(timeoutMs));
	return await limited(timeout, signal, async (ending) => {
		const response = await http(
			{
				...request,
				// From the last byte received: alone, it never ends a response that comes in byte by byte.
				timeout,
				// Read as text: a JSON string ("a-guid") and a web page must be told apart. As a stream: n8n
				// limits neither the length of a response nor the time that it takes.
				encoding: 'stream',
				returnFullResponse: true,
				// Statuses are read by us. Left to n8n, a 401 would make it send the request a second time.
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				skipSslCertificateValidation: ignoresSslIssues,
			},
			ending,
		);
		return { ...response, body: await readStream(response.body) };
	});
}

/**
 * Reads the body of a response as text. A faulty service, or something else at its address, must
 * not fill the memory of n8n.
 * @throws an error with the code `RESPONSE_TOO_LARGE`, or what ended the request
 */
export async function readStream(stream: HttpResponse['body']): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		if (bytes > MAX_RESPONSE_BYTES) {
			throw Object.assign(new Error('The response is too long'), { code: RESPONSE_TOO_LARGE });
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}
