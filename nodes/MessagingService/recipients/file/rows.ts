import type { IDataObject } from 'n8n-workflow';
import type { FileRecord } from './delimited';
import { DelimitedReader } from './delimited';
import { detectDelimiter } from './delimiter';
import type { FileEncoding } from './encoding';
import { decodeFile } from './encoding';
import { FileError } from './fileError';
import { JsonLinesReader } from './jsonLines';

/** How a file is read. */
export interface FileFormat {
	encoding: FileEncoding;
	/** One character, or `auto` to decide by the header. */
	delimiter: string;
}

/** One row of a file. */
export interface FileRow {
	/** Line on which it starts, from 1. */
	line: number;
	/** Its values by column. */
	values: IDataObject;
	/** Why it is no row, continuing "the row": "has 3 cells, but the header has 4". */
	problem?: string;
	/** What the file has, where it is a delimited one: names of its columns, and the row's cells. */
	record?: { columns: readonly string[]; cells: readonly string[] };
}

/** Enough to see the whole header: it is a few hundred characters long. */
const HEADER_CHARACTERS = 16 * 1024;

/** Turns the records of a delimited file into rows: the first one names the columns. */
class HeaderedRows {
	private columns: string[] | undefined;

	rows(records: readonly FileRecord[]): FileRow[] {
		const rows: FileRow[] = [];
		for (const { line, cells } of records) {
			if (this.columns === undefined) this.columns = readHeader(line, cells);
			else rows.push(toRow(this.columns, line, cells));
		}
		return rows;
	}
}

function readHeader(line: number, cells: readonly string[]): string[] {
	const columns = cells.map((cell) => cell.trim());
	const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
	if (twice !== undefined) {
		throw new FileError(
			line,
			`names the column "${twice}" twice`,
			'Rename one of the two columns.',
		);
	}
	return columns;
}

function toRow(columns: readonly string[], line: number, cells: readonly string[]): FileRow {
	const values: IDataObject = {};
	for (let index = 0; index < columns.length; index++) {
		const name = columns[index] as string;
		if (name !== '' && cells[index] !== undefined) values[name] = cells[index];
	}
	const record = { columns, cells };
	if (cells.length === columns.length) return { line, values, record };
	// A delimiter too many or too few moves values into other columns: into the wrong person's text.
	const problem = `has ${cells.length} cells, but the header has ${columns.length}`;
	return { line, values, problem, record };
}

/** Reads what a text file holds, chunk by chunk. */
interface RowReader {
	push(text: string): FileRow[];
	end(): FileRow[];
}

function jsonRows(): RowReader {
	const reader = new JsonLinesReader();
	const toRows = (lines: ReturnType<JsonLinesReader['push']>) =>
		lines.map(({ line, values = {}, problem }) =>
			problem === undefined ? { line, values } : { line, values, problem },
		);
	return { push: (text) => toRows(reader.push(text)), end: () => toRows(reader.end()) };
}

function delimitedRows(delimiter: string): RowReader {
	const reader = new DelimitedReader(delimiter);
	const rows = new HeaderedRows();
	return { push: (text) => rows.rows(reader.push(text)), end: () => rows.rows(reader.end()) };
}

/** The reader for a file that starts like this. */
function readerFor(start: string, delimiter: string): RowReader {
	if (start.trimStart().startsWith('{')) return jsonRows();
	return delimitedRows(delimiter === 'auto' ? detectDelimiter(start) : delimiter);
}

/**
 * The rows of a CSV or JSON Lines file, in groups as they arrive. Nothing but the group at hand is
 * kept.
 * @throws FileError with the line where the file cannot be read on
 */
export async function* readRows(
	chunks: AsyncIterable<Uint8Array>,
	{ encoding, delimiter }: FileFormat,
): AsyncGenerator<FileRow[]> {
	let reader: RowReader | undefined;
	let start = '';
	for await (const text of decodeFile(chunks, encoding)) {
		if (reader === undefined) {
			start += text;
			if (start.length < HEADER_CHARACTERS) continue;
		}
		const isFirst = reader === undefined;
		reader ??= readerFor(start, delimiter);
		const rows = reader.push(isFirst ? start : text);
		if (rows.length > 0) yield rows;
	}
	if (reader === undefined) {
		reader = readerFor(start, delimiter);
		const rows = reader.push(start);
		if (rows.length > 0) yield rows;
	}
	const last = reader.end();
	if (last.length > 0) yield last;
}
