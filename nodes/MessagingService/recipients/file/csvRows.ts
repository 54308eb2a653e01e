import { shown } from '../../parameters/inputError';
import { rowMaker } from '../rowObjects';
import type { DelimitedReader, FileRecord } from './delimited';
import { FileError } from './fileError';
import { MAX_COLUMNS, type FileRow, type RowReader } from './row';

/** Excel's line before the header, e.g. `sep=;`. */
const NAMES_DELIMITER = 'sep=';

/** Makes rows of the records of a delimited file: the first one names the columns. */
export class CsvReader implements RowReader {
	private readonly reader: DelimitedReader;
	private readonly newValues = rowMaker();
	private columns: string[] | undefined;

	constructor(reader: DelimitedReader) {
		this.reader = reader;
	}

	push(text: string): Iterable<FileRow> {
		return this.rows(this.reader.push(text));
	}

	end(): Iterable<FileRow> {
		return this.rows(this.reader.end());
	}

	private *rows(records: Iterable<FileRecord>): Generator<FileRow> {
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
		if (cells.length === columns.length) return { line, values, columns, cells };
		// A delimiter too many or too few moves values into other columns: into the wrong person's text.
		const problem = `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, but the header has ${columns.length}`;
		return { line, values, columns, cells, problem };
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
