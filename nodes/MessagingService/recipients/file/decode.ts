import attempt from 'lodash/attempt';
import isError from 'lodash/isError';
import { FileError } from './row';

/** Encodings that a file may have. `auto` decides by byte order mark and content. */
export type FileEncoding = 'auto' | 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How much of the start of a file decides its encoding and its delimiter, in bytes. */
const START_BYTES = 64 * 1024;

/**
 * Decodes a file chunk by chunk, without its byte order mark. Its lines end with LF. The first text
 * holds the start of the file.
 * @throws FileError for a file that is no text, or not in its encoding
 */
export async function* decodeFile(
	chunks: AsyncIterable<Uint8Array>,
	encoding: FileEncoding,
): AsyncGenerator<string> {
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	let carriage = '';
	for await (const bytes of withWholeStart(chunks)) {
		decoder ??= decoderFor(bytes, encoding);
		const text = carriage + decode(decoder, bytes);
		// A line feed may follow in the next chunk.
		carriage = text.endsWith('\r') ? '\r' : '';
		yield withLineFeeds(carriage === '' ? text : text.slice(0, -1));
	}
	if (decoder !== undefined) yield withLineFeeds(carriage + decode(decoder));
}

/** The chunks, of which the first holds the start of the file, or all of it. */
async function* withWholeStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const start: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of chunks) {
		if (size >= START_BYTES) {
			yield chunk;
			continue;
		}
		start.push(chunk);
		size += chunk.length;
		if (size >= START_BYTES) yield Buffer.concat(start.splice(0));
	}
	if (size < START_BYTES) yield Buffer.concat(start);
}

function decoderFor(start: Uint8Array, chosen: FileEncoding) {
	const encoding = chosen === 'auto' ? detectEncoding(start) : chosen;
	if (!encoding.startsWith('utf-16') && start.includes(0)) {
		throw new FileError(
			undefined,
			'contains binary data',
			'Use a CSV or JSON Lines file: save an Excel sheet as CSV, and decompress a ZIP or gzip file with the Compression node. If the file is UTF-16, set Encoding in File Options.',
		);
	}
	return new TextDecoder(encoding, { fatal: true });
}

function detectEncoding(start: Uint8Array): Exclude<FileEncoding, 'auto'> {
	const [first, second] = start;
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	if (first === 0xfe && second === 0xff) return 'utf-16be';
	// As a stream: the start may end within a character.
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const text = attempt(() => decoder.decode(start, { stream: true }));
	return isError(text) ? 'windows-1252' : 'utf-8';
}

/** @param bytes without them, the end of the file */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
	const text = attempt(() => decoder.decode(bytes, { stream: bytes !== undefined }));
	if (typeof text === 'string') return text;
	throw new FileError(
		undefined,
		`is not valid ${decoder.encoding.toUpperCase()}`,
		'Set Encoding in File Options, for example to Windows-1252, or save the file as UTF-8.',
	);
}

function withLineFeeds(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
