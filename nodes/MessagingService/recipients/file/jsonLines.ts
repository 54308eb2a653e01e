import { isObject, parseJson } from '../../json';
import { assertRowEnds, type FileRow, type RowReader } from './row';

/** Reads JSON Lines chunk by chunk: one JSON object per line. Empty lines are skipped. */
export class JsonLinesReader implements RowReader {
	private text = '';
	private line = 0;
	/** All names of fields so far, in their order: also those of later lines of a chunk. */
	private readonly columns: string[] = [];
	private readonly names = new Set<string>();

	/** @throws Failure for a line that is too long */
	push(text: string): FileRow[] {
		const lines = (this.text + text).split('\n');
		this.text = lines.pop() ?? '';
		const rows = lines.flatMap((line) => this.rowOf(line));
		assertRowEnds(this.text, this.line + 1);
		return rows;
	}

	end(): FileRow[] {
		return this.push('\n');
	}

	private rowOf(text: string): FileRow[] {
		this.line++;
		const { line, columns } = this;
		if (text.trim() === '') return [];
		const values = parseJson(text);
		if (!isObject(values)) return [{ line, columns, values: {}, problem: 'is not a JSON object' }];
		for (const name in values) {
			if (this.names.has(name)) continue;
			this.names.add(name);
			columns.push(name);
		}
		return [{ line, columns, values }];
	}
}
