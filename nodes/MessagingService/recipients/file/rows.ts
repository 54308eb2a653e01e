import { CsvReader, detectDelimiter } from './csv';
import { decodeFile } from './decode';
import type { FoundEncoding } from './encoding';
import { JsonLinesReader } from './jsonLines';
import { unreadable, type FileRow, type RowReader } from './row';
import type { FileSource } from './source';

/** What stands for bytes that are not valid in the encoding. */
const DAMAGED = '\ufffd';

/**
 * The rows of a CSV or JSON Lines file, in groups as they arrive. A group must be read to its end
 * before the next one.
 * @throws Failure where the file cannot be read on
 */
export async function* readRows(
	chunks: AsyncIterable<Uint8Array>,
	{ encoding, delimiter }: FileSource['format'],
) {
	let reader: RowReader | undefined;
	let isDamaged = false;
	let found: FoundEncoding = { encoding: 'utf-8' };
	for await (const { text, ...piece } of decodeFile(chunks, encoding)) {
		({ found } = piece);
		isDamaged ||= text.includes(DAMAGED);
		const rest = reader === undefined ? text.replace(SEPARATOR_LINE, '') : text;
		reader ??= readerFor(text, delimiter);
		const rows = reader.push(rest);
		yield { rows: isDamaged ? withDamage(rows) : rows, found };
	}
	if (reader === undefined) return;
	yield { rows: isDamaged ? withDamage(reader.end()) : reader.end(), found };
}

/** A row with a damaged byte cannot be sent: nobody knows whose name or number it was. */
function* withDamage(rows: Iterable<FileRow>): Generator<FileRow> {
	const problem = 'contains a character that is not valid in the encoding of the file';
	for (const row of rows) {
		const isDamaged = JSON.stringify(row.cells ?? row.values).includes(DAMAGED);
		yield isDamaged ? { problem, ...row } : row;
	}
}

/** The first line of a CSV file that Excel has written for another country. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?\n/i;

/** The reader for a file that starts like this. @throws Failure for a JSON array */
function readerFor(start: string, delimiter: string): RowReader {
	if (start.trimStart().startsWith('{')) return new JsonLinesReader();
	if (/^\s*\[\s*[{\]]/.test(start)) {
		throw unreadable(
			1,
			'begins a JSON array',
			'Save the rows as CSV or as JSON Lines, one object per line, or make items of them with Extract from File.',
		);
	}
	const separator = SEPARATOR_LINE.exec(start)?.[1];
	const chosen = delimiter === 'auto' ? (separator ?? detectDelimiter(start)) : delimiter;
	return new CsvReader(chosen, separator === undefined ? 1 : 2);
}
