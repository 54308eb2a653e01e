import { FileError } from './fileError';

/** Encodings that a file may have. `auto` decides by byte order mark and content. */
export type FileEncoding = 'auto' | 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How much of the start of a file decides its encoding, in bytes. */
const SAMPLE_BYTES = 64 * 1024;

/** First bytes of formats that users mistake for CSV, and what to do with such a file. */
const FORMATS = [
	{
		bytes: [0x1f, 0x8b],
		problem: 'is a gzip file',
		advice: 'Decompress it with the Compression node first.',
	},
	{
		bytes: [0x50, 0x4b, 0x03, 0x04],
		problem: 'is a ZIP or Excel file',
		advice:
			'Save the sheet as CSV, or read it with the Extract From File node and send its items instead.',
	},
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

/** @throws FileError for a sample that is no text */
function detectEncoding(sample: Uint8Array): Exclude<FileEncoding, 'auto'> {
	if (startsWith(sample, [0xff, 0xfe])) return 'utf-16le';
	if (startsWith(sample, [0xfe, 0xff])) return 'utf-16be';
	if (sample.includes(0)) {
		throw new FileError(
			undefined,
			'contains binary data',
			'Choose a text file: CSV or JSON Lines. If it is UTF-16, set Encoding in File Options.',
		);
	}
	return isUtf8(sample) ? 'utf-8' : 'windows-1252';
}

/** @throws FileError for the start of a file that is no text */
function decoderFor(start: Uint8Array, encoding: FileEncoding) {
	const format = FORMATS.find(({ bytes }) => startsWith(start, bytes));
	if (format !== undefined) throw new FileError(undefined, format.problem, format.advice);
	return new TextDecoder(encoding === 'auto' ? detectEncoding(start) : encoding, { fatal: true });
}

/** Decodes a file chunk by chunk, without its byte order mark. Its lines end with LF. */
export async function* decodeFile(
	chunks: AsyncIterable<Uint8Array>,
	encoding: FileEncoding,
): AsyncGenerator<string> {
	let start: Uint8Array[] = [];
	let size = 0;
	let decoder: LineDecoder | undefined;
	for await (const chunk of chunks) {
		if (decoder !== undefined) {
			yield decoder.decode(chunk);
			continue;
		}
		start.push(chunk);
		size += chunk.length;
		if (size < SAMPLE_BYTES) continue;
		const sample = Buffer.concat(start);
		start = [];
		decoder = new LineDecoder(decoderFor(sample, encoding));
		yield decoder.decode(sample);
	}
	const rest = Buffer.concat(start);
	decoder ??= new LineDecoder(decoderFor(rest, encoding));
	yield decoder.decode(rest, true);
}

/** Decodes bytes and makes all line breaks LF. */
class LineDecoder {
	private readonly decoder: InstanceType<typeof TextDecoder>;
	private line = 1;
	/** A carriage return, whose line feed may be in the next chunk. */
	private carriage = '';

	constructor(decoder: InstanceType<typeof TextDecoder>) {
		this.decoder = decoder;
	}

	/** @throws FileError for bytes that are not in the encoding */
	decode(bytes: Uint8Array, isLast = false): string {
		const decoded = this.textOf(bytes, isLast);
		if (decoded === undefined) {
			throw new FileError(
				this.line,
				`or a later one is not valid ${this.decoder.encoding.toUpperCase()}`,
				'Set Encoding in File Options, for example to Windows-1252, or save the file as UTF-8.',
			);
		}
		let text = this.carriage + decoded;
		this.carriage = !isLast && text.endsWith('\r') ? '\r' : '';
		if (this.carriage !== '') text = text.slice(0, -1);
		if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
		for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line++;
		return text;
	}

	private textOf(bytes: Uint8Array, isLast: boolean): string | undefined {
		try {
			return this.decoder.decode(bytes, { stream: !isLast });
		} catch {
			return undefined;
		}
	}
}
