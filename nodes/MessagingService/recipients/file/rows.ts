import { DelimitedReader } from './delimited';
import { detectDelimiter } from './delimiter';
import { decodeFile, type FileEncoding } from './encoding';
import { FileError } from './fileError';
import { CsvReader } from './csvRows';
import { JsonLinesReader } from './jsonLines';
import type { FileRow, RowReader } from './row';

export type { FileRow } from './row';

/** How a file is read. */
export interface FileFormat {
	encoding: FileEncoding;
	/** One character, or `auto` to decide by the header. */
	delimiter: string;
}

/** Enough to see the whole header: it is a few hundred characters long. */
const HEADER_CHARACTERS = 16 * 1024;

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
	return new CsvReader(
		new DelimitedReader(delimiter === 'auto' ? detectDelimiter(start) : delimiter),
	);
}

function* allRows(reader: RowReader, text: string): Generator<FileRow> {
	yield* reader.push(text);
	yield* reader.end();
}

/**
 * The rows of a CSV or JSON Lines file, in groups as they arrive. Each row is made when it is asked
 * for, and a group must be read to its end before the next one: thousands of rows that live at the
 * same time, even once, make V8 put all later ones where they are seldom removed (150 MB for a
 * million rows).
 * @param look is given the first rows before they are read
 * @throws FileError with the line where the file cannot be read on
 */
export async function* readRows(
	chunks: AsyncIterable<Uint8Array>,
	{ encoding, delimiter }: FileFormat,
	look: (first: Iterable<FileRow>) => void = () => undefined,
): AsyncGenerator<Iterable<FileRow>> {
	let reader: RowReader | undefined;
	let start = '';
	for await (const text of decodeFile(chunks, encoding)) {
		if (reader !== undefined) {
			yield reader.push(text);
			continue;
		}
		start += text;
		if (start.length < HEADER_CHARACTERS) continue;
		look(readerFor(start, delimiter).push(start));
		reader = readerFor(start, delimiter);
		yield reader.push(start);
	}
	if (reader !== undefined) return yield reader.end();
	look(allRows(readerFor(start, delimiter), start));
	yield allRows(readerFor(start, delimiter), start);
}
