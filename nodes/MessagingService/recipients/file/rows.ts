import type { IDataObject } from 'n8n-workflow';
import { shown } from '../../resources/shared/inputError';
import { rowMaker } from '../rowObjects';
import type { FileRecord } from './delimited';
import { DelimitedReader } from './delimited';
import { detectDelimiter } from './delimiter';
import type { FileEncoding } from './encoding';
import { decodeFile } from './encoding';
import { FileError } from './fileError';
import { JsonLinesReader, type JsonLine } from './jsonLines';

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

/** Each new one is looked at together with all others. */
export const MAX_COLUMNS = 1000;

/** Excel's line before the header, e.g. `sep=;`. */
const NAMES_DELIMITER = 'sep=';

/** Enough to see the whole header: it is a few hundred characters long. */
const HEADER_CHARACTERS = 16 * 1024;

/** Turns the records of a delimited file into rows: the first one names the columns. */
class HeaderedRows {
	private columns: string[] | undefined;
	private readonly newValues = rowMaker();

	*rows(records: Iterable<FileRecord>): Generator<FileRow> {
		for (const { line, cells } of records) {
			if (line === 1 && cells[0]?.toLowerCase().startsWith(NAMES_DELIMITER) === true) continue;
			if (this.columns === undefined) this.columns = readHeader(line, cells);
			else yield this.row(this.columns, line, cells);
		}
	}

	private row(columns: readonly string[], line: number, cells: readonly string[]): FileRow {
		const values = this.newValues();
		for (let index = 0; index < columns.length; index++) {
			const name = columns[index] as string;
			if (name !== '' && cells[index] !== undefined) values[name] = cells[index];
		}
		const record = { columns, cells };
		if (cells.length === columns.length) return { line, values, record };
		// A delimiter too many or too few moves values into other columns: into the wrong person's text.
		const problem = `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, but the header has ${columns.length}`;
		return { line, values, problem, record };
	}
}

function readHeader(line: number, cells: readonly string[]): string[] {
	const columns = cells.map((cell) => cell.trim());
	const names = new Set<string>();
	for (const name of columns) {
		if (names.has(name)) {
			throw new FileError(
				line,
				`names the column "${shown(name)}" twice`,
				'Rename one of the two columns.',
			);
		}
		if (name !== '') names.add(name);
	}
	if (names.size > MAX_COLUMNS) {
		throw new FileError(
			line,
			`has more than ${MAX_COLUMNS} columns`,
			'Perhaps it is no CSV file. Otherwise, remove the columns that are not sent.',
		);
	}
	return columns;
}

/** Reads what a text file holds, chunk by chunk. */
interface RowReader {
	push(text: string): Iterable<FileRow>;
	end(): Iterable<FileRow>;
}

function jsonRows(): RowReader {
	const reader = new JsonLinesReader();
	function* toRows(lines: Iterable<JsonLine>): Generator<FileRow> {
		for (const { line, values = {}, problem } of lines) {
			yield problem === undefined ? { line, values } : { line, values, problem };
		}
	}
	return { push: (text) => toRows(reader.push(text)), end: () => toRows(reader.end()) };
}

function delimitedRows(delimiter: string): RowReader {
	const reader = new DelimitedReader(delimiter);
	const rows = new HeaderedRows();
	return { push: (text) => rows.rows(reader.push(text)), end: () => rows.rows(reader.end()) };
}

/** The reader for a file that starts like this. @throws FileError for a JSON array */
function readerFor(start: string, delimiter: string): RowReader {
	if (start.trimStart().startsWith('{')) return jsonRows();
	if (/^\s*\[\s*[{\]]/.test(start)) {
		throw new FileError(
			1,
			'begins a JSON array',
			'Save the rows as CSV or as JSON Lines, one object per line, or make items of them with Extract from File.',
		);
	}
	return delimitedRows(delimiter === 'auto' ? detectDelimiter(start) : delimiter);
}

function* allRows(reader: RowReader, text: string): Generator<FileRow> {
	yield* reader.push(text);
	yield* reader.end();
}

/**
 * The rows of a CSV or JSON Lines file, in groups as they arrive. Each row is made when it is asked
 * for, and a group must be read to its end before the next one: thousands of rows that live at the
 * same time would make Node.js put all later ones where they are seldom removed.
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
		if (reader === undefined) {
			start += text;
			if (start.length < HEADER_CHARACTERS) continue;
		}
		if (reader === undefined) look(readerFor(start, delimiter).push(start));
		const isFirst = reader === undefined;
		reader ??= readerFor(start, delimiter);
		yield reader.push(isFirst ? start : text);
	}
	if (reader === undefined) {
		look(allRows(readerFor(start, delimiter), start));
		reader = readerFor(start, delimiter);
		yield reader.push(start);
	}
	yield reader.end();
}
