/** The body of an answer as n8n's HTTP helper streams it, unpacked. */
export interface AnswerStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

/** The most bytes of one answer, unpacked. Pages of 10,000 records have about a tenth of that. */
export const MOST_ANSWER_BYTES = 100 * 1024 * 1024;

/** The code of the error for a longer one. */
export const ANSWER_TOO_LARGE = 'ERR_ANSWER_TOO_LARGE';

/**
 * Reads the body of an answer as text. A service out of order, or something else at its address,
 * must not fill the memory of n8n or keep it waiting for ever.
 * @param signal ends the reading
 * @throws an error with the code `ANSWER_TOO_LARGE`, or the signal's reason
 */
export async function readAnswer(stream: AnswerStream, signal: AbortSignal): Promise<string> {
	const stop = () => stream.destroy(signal.reason as Error);
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, { once: true });
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const chunk of stream) {
			bytes += chunk.length;
			if (bytes > MOST_ANSWER_BYTES) {
				throw Object.assign(new Error('The answer is too long'), { code: ANSWER_TOO_LARGE });
			}
			chunks.push(chunk);
		}
	} finally {
		signal.removeEventListener('abort', stop);
	}
	return Buffer.concat(chunks).toString('utf8');
}
