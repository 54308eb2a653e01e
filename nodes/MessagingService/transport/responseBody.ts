/** The body of a response as n8n's HTTP helper streams it, decompressed. */
export type ResponseStream = AsyncIterable<Uint8Array>;

/** Maximum size of one response, decompressed. A page of 10,000 records has about a tenth of it. */
export const MAX_RESPONSE_BYTES = 100 * 1024 * 1024;

/** The code of the error for a longer one. */
export const RESPONSE_TOO_LARGE = 'ERR_RESPONSE_TOO_LARGE';

/**
 * Reads the body of a response as text. A faulty service, or something else at its address, must
 * not fill the memory of n8n.
 * @param end ends the request: leaving the stream alone would not close a connection that is silent
 * @throws an error with the code `RESPONSE_TOO_LARGE`, or what ended the request
 */
export async function readBody(stream: ResponseStream, end: () => void): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		if (bytes > MAX_RESPONSE_BYTES) {
			end();
			throw Object.assign(new Error('The response is too long'), { code: RESPONSE_TOO_LARGE });
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}
