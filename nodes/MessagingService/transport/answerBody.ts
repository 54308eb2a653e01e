/** The body of an answer as n8n's HTTP helper streams it, unpacked. */
export type AnswerStream = AsyncIterable<Uint8Array>;

/** The most bytes of one answer, unpacked. Pages of 10,000 records have about a tenth of that. */
export const MOST_ANSWER_BYTES = 100 * 1024 * 1024;

/** The code of the error for a longer one. */
export const ANSWER_TOO_LARGE = 'ERR_ANSWER_TOO_LARGE';

/**
 * Reads the body of an answer as text. A service out of order, or something else at its address,
 * must not fill the memory of n8n.
 * @param end ends the request: leaving the stream alone would not close a connection that is silent
 * @throws an error with the code `ANSWER_TOO_LARGE`, or what ended the request
 */
export async function readAnswer(stream: AnswerStream, end: () => void): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		if (bytes > MOST_ANSWER_BYTES) {
			end();
			throw Object.assign(new Error('The answer is too long'), { code: ANSWER_TOO_LARGE });
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}
