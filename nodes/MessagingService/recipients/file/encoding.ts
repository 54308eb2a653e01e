import { FileError } from './fileError';

/** Encodings that a file may have. `auto` decides by byte order mark and content. */
export type FileEncoding = 'auto' | 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How much of the start of a file decides its encoding, in bytes. */
const SAMPLE_BYTES = 64 * 1024;

/** First bytes of formats that are no text, and what to do with such a file. */
const FORMATS: readonly { bytes: readonly number[]; name: string; advice: string }[] = [
	{
		bytes: [0x1f, 0x8b],
		name: 'a gzip file',
		advice: 'Decompress it with the Compression node first.',
	},
	{
		bytes: [0x50, 0x4b, 0x03, 0x04],
		name: 'a ZIP or Excel file',
		advice:
			'Save the sheet as CSV, or read it with the Extract From File node and send its items instead.',
	},
	{
		bytes: [0xd0, 0xcf, 0x11, 0xe0],
		name: 'an old Excel file',
		advice: 'Save the sheet as CSV first.',
	},
	{ bytes: [0x25, 0x50, 0x44, 0x46], name: 'a PDF file', advice: 'Choose a CSV file.' },
];

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
	return prefix.every((byte, index) => bytes[index] === byte);
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		// As a stream: the sample may end within a character.
		new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
		return true;
	} catch {
		return false;
	}
}

/** Whether every second byte of a text without byte order mark is mostly zero. */
function utf16Without(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
	let even = 0;
	let odd = 0;
	for (const [index, byte] of bytes.entries()) {
		if (byte !== 0) continue;
		if (index % 2 === 0) even++;
		else odd++;
	}
	const many = bytes.length / 8;
	if (odd > many && even < odd / 8) return 'utf-16le';
	if (even > many && odd < even / 8) return 'utf-16be';
	return undefined;
}

/** @throws FileError for a format that is no text */
function assertText(sample: Uint8Array): void {
	const format = FORMATS.find(({ bytes }) => startsWith(sample, bytes));
	if (format !== undefined) throw new FileError(undefined, `is ${format.name}`, format.advice);
}

/**
 * The encoding of a file, by its first bytes.
 * @throws FileError for one that is no text
 */
function detectEncoding(sample: Uint8Array): Exclude<FileEncoding, 'auto'> {
	if (startsWith(sample, [0xff, 0xfe])) return 'utf-16le';
	if (startsWith(sample, [0xfe, 0xff])) return 'utf-16be';
	const utf16 = utf16Without(sample);
	if (utf16 !== undefined) return utf16;
	if (sample.includes(0)) {
		throw new FileError(
			undefined,
			'contains binary data',
			'Choose a text file: CSV or JSON Lines.',
		);
	}
	return isUtf8(sample) ? 'utf-8' : 'windows-1252';
}

/** Decodes a file chunk by chunk. The byte order mark is not part of the text. */
export async function* decodeFile(
	chunks: AsyncIterable<Uint8Array>,
	encoding: FileEncoding,
): AsyncGenerator<string> {
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	let line = 1;
	const decode = (bytes: Uint8Array, isLast: boolean): string => {
		decoder ??= decoderFor(bytes, encoding);
		const text = decodeChunk(decoder, bytes, isLast);
		if (text === undefined) {
			throw new FileError(
				line,
				`or a later one is not valid ${decoder.encoding.toUpperCase()}`,
				'Set Encoding in File Options, for example to Windows-1252, or save the file as UTF-8.',
			);
		}
		line += countLines(text);
		return text;
	};
	let sample: Uint8Array[] = [];
	let sampled = 0;
	for await (const chunk of chunks) {
		if (decoder === undefined && sampled + chunk.length < SAMPLE_BYTES) {
			sample.push(chunk);
			sampled += chunk.length;
			continue;
		}
		const text = decode(sample.length === 0 ? chunk : Buffer.concat([...sample, chunk]), false);
		sample = [];
		if (text !== '') yield text;
	}
	const rest = decode(Buffer.concat(sample), true);
	if (rest !== '') yield rest;
}

/** @throws FileError where the file starts like one that is no text */
function decoderFor(start: Uint8Array, encoding: FileEncoding) {
	assertText(start);
	return new TextDecoder(encoding === 'auto' ? detectEncoding(start) : encoding, { fatal: true });
}

/** The text of a chunk; undefined where its bytes are none in the encoding. */
function decodeChunk(
	decoder: InstanceType<typeof TextDecoder>,
	bytes: Uint8Array,
	isLast: boolean,
): string | undefined {
	try {
		return decoder.decode(bytes, { stream: !isLast });
	} catch {
		return undefined;
	}
}

function countLines(text: string): number {
	let count = 0;
	for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
	return count;
}
