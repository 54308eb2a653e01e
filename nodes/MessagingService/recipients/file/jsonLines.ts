import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../../json';
import { MAX_RECORD_CHARACTERS } from './delimited';
import { FileError } from './fileError';
import { MAX_COLUMNS, type FileRow, type RowReader } from './row';

/** Reads JSON Lines chunk by chunk: one JSON object per line. Empty lines are skipped. */
export class JsonLinesReader implements RowReader {
	private text = '';
	private line = 1;
	/** All names of fields so far, in their order. */
	private readonly columns: string[] = [];
	private readonly names = new Set<string>();

	/** The lines that end in the text so far. @throws FileError for one that is too long */
	*push(text: string): Generator<FileRow> {
		const lines = (this.text + text).split('\n');
		this.text = lines.pop() ?? '';
		for (const line of lines) {
			if (line.trim() !== '') yield this.row(line);
			this.line++;
		}
		if (this.text.length > MAX_RECORD_CHARACTERS) {
			throw new FileError(
				this.line,
				`is longer than ${MAX_RECORD_CHARACTERS} characters`,
				'Write one JSON object per line.',
			);
		}
	}

	/** The last line. */
	*end(): Generator<FileRow> {
		yield* this.push('\n');
	}

	private row(text: string): FileRow {
		const { line, columns } = this;
		const values = parseJson(text);
		if (!isObject(values)) return { line, columns, values: {}, problem: 'is not a JSON object' };
		this.addColumns(values);
		return { line, columns, values };
	}

	private addColumns(values: IDataObject): void {
		for (const name in values) {
			if (this.names.has(name)) continue;
			this.names.add(name);
			this.columns.push(name);
		}
		if (this.columns.length <= MAX_COLUMNS) return;
		throw new FileError(
			this.line,
			`brings its columns to more than ${MAX_COLUMNS}`,
			'Use the same field names in all lines.',
		);
	}
}
