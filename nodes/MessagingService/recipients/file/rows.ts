import { CsvReader, detectDelimiter } from './csv';
import { decodeFile, type FileEncoding } from './decode';
import { JsonLinesReader } from './jsonLines';
import { FileError, type FileRow, type RowReader } from './row';

/** How a file is read. */
export interface FileFormat {
	encoding: FileEncoding;
	/** One character, or `auto` to decide by the header. */
	delimiter: string;
}

/**
 * The rows of a CSV or JSON Lines file, in groups as they arrive. A group must be read to its end
 * before the next one.
 * @throws FileError where the file cannot be read on
 */
export async function* readRows(
	chunks: AsyncIterable<Uint8Array>,
	{ encoding, delimiter }: FileFormat,
): AsyncGenerator<Iterable<FileRow>> {
	let reader: RowReader | undefined;
	for await (const text of decodeFile(chunks, encoding)) {
		reader ??= readerFor(text, delimiter);
		yield reader.push(text);
	}
	if (reader !== undefined) yield reader.end();
}

/** The reader for a file that starts like this. @throws FileError for a JSON array */
function readerFor(start: string, delimiter: string): RowReader {
	if (start.trimStart().startsWith('{')) return new JsonLinesReader();
	if (/^\s*\[\s*[{\]]/.test(start)) {
		throw new FileError(
			1,
			'begins a JSON array',
			'Save the rows as CSV or as JSON Lines, one object per line, or make items of them with Extract from File.',
		);
	}
	return new CsvReader(delimiter === 'auto' ? detectDelimiter(start) : delimiter);
}
