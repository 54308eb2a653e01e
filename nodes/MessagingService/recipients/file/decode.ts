import { Failure } from '../../failure';
import { detectEncoding, markedEncoding, type Encoding, type FoundEncoding } from './encoding';

/** How much of the start of a file decides its encoding and its delimiter, in bytes. */
const START_BYTES = 64 * 1024;

/**
 * Decodes a file chunk by chunk, without its byte order mark. Its lines end with LF. The first text
 * holds the start of the file. What is not valid in the encoding becomes U+FFFD.
 * @throws Failure for a file that is no text
 */
export async function* decodeFile(chunks: AsyncIterable<Uint8Array>, encoding: Encoding | 'auto') {
	let found: FoundEncoding | undefined;
	let decoder = new TextDecoder();
	let carriage = '';
	for await (const bytes of withWholeStart(chunks)) {
		if (found === undefined) {
			const isSet = encoding !== 'auto' && markedEncoding(bytes) === undefined;
			found = isSet ? { encoding } : detectEncoding(bytes);
			decoder = new TextDecoder(found.encoding);
		}
		assertText(bytes, found);
		const text = carriage + decoder.decode(bytes, { stream: true });
		// A line feed may follow in the next chunk.
		carriage = text.endsWith('\r') ? '\r' : '';
		yield { text: withLineFeeds(carriage === '' ? text : text.slice(0, -1)), found };
	}
	if (found !== undefined) yield { text: withLineFeeds(carriage + decoder.decode()), found };
}

/** The chunks, at least one, of which the first holds the start of the file, or all of it. */
async function* withWholeStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const start: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of chunks) {
		start.push(chunk);
		size += chunk.length;
		if (size >= START_BYTES) yield Buffer.concat(start.splice(0));
	}
	yield Buffer.concat(start);
}

function assertText(bytes: Uint8Array, { encoding }: FoundEncoding): void {
	if (encoding.startsWith('utf-16') || !bytes.includes(0)) return;
	throw new Failure(
		'The file contains binary data',
		'Use a CSV or JSON Lines file: save an Excel sheet as CSV, and decompress a ZIP or gzip file with the Compression node. If the file is UTF-16, set Encoding in File Options.',
	);
}

function withLineFeeds(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
