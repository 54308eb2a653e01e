import { shown } from '../../texts';
import { rowMaker } from '../rowObjects';
import { assertRowEnds, unreadable, type FileRow, type RowReader } from './row';

const DELIMITERS = [',', ';', '\t', '|'];
const QUOTED_CELL = /"(?:[^"]|"")*"/g;
const DOUBLE_QUOTES = 'Double a quote that is part of the text: "" instead of ".';

/**
 * The delimiter of a file: the one that is most frequent in the header, outside quotes. A file with
 * one column has none: then a comma.
 */
export function detectDelimiter(start: string): string {
	const [header = ''] = start.replace(/^\n+/, '').replace(QUOTED_CELL, '').split('\n', 1);
	const countOf = (delimiter: string) => header.split(delimiter).length;
	return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/**
 * Reads delimited text (RFC 4180) chunk by chunk: quoted cells with doubled quotes and line breaks.
 * Empty lines are no rows. A quote within an unquoted cell is text. The first row names the columns.
 * Only the unfinished row is kept between chunks. Rows are made one by one: thousands that live at
 * the same time would make the memory of Node.js grow.
 */
export class CsvReader implements RowReader {
	private readonly delimiter: string;
	private readonly newValues = rowMaker();
	/** A cell, and the delimiter or line break after it. */
	private readonly cell: RegExp;
	/** A quoted cell with something else after it. */
	private readonly strayText: RegExp;
	private text = '';
	private line: number;
	private columns: string[] | undefined;

	/**
	 * @param delimiter one character, with no meaning in a class of a regular expression
	 * @param line of the file on which the text starts, from 1
	 */
	constructor(delimiter: string, line: number) {
		this.delimiter = delimiter;
		this.line = line;
		const quoted = '"([^"]*(?:""[^"]*)*)"';
		this.cell = new RegExp(`(?:${quoted}|(?!")([^${delimiter}\\n]*))([${delimiter}\\n])`, 'y');
		this.strayText = new RegExp(`${quoted}[^"${delimiter}\\n]`, 'y');
	}

	/** @throws Failure for quotes that are wrong, a row that is too long, and a wrong header */
	*push(text: string): Generator<FileRow> {
		this.text += text;
		let start = 0;
		let quote = this.text.indexOf('"');
		for (;;) {
			const lineEnd = this.text.indexOf('\n', start);
			if (lineEnd < 0) break;
			if (quote >= 0 && quote < start) quote = this.text.indexOf('"', start);
			const isPlain = quote < 0 || quote > lineEnd;
			const cells = isPlain
				? this.text.slice(start, lineEnd).split(this.delimiter)
				: this.quotedCells(start);
			if (cells === undefined) break;
			const end = isPlain ? lineEnd : this.cell.lastIndex - 1;
			const { line } = this;
			this.line += isPlain ? 1 : this.text.slice(start, end + 1).split('\n').length - 1;
			const row = end === start ? undefined : this.rowOf(line, cells);
			start = end + 1;
			if (row !== undefined) yield row;
		}
		this.text = this.text.slice(start);
		assertRowEnds(this.text, this.line);
	}

	/** @throws Failure for an unclosed quote */
	*end(): Generator<FileRow> {
		yield* this.push('\n');
		if (this.text === '') return;
		throw unreadable(
			this.line,
			'has a quote that is not closed',
			`Close the quote, or remove it. ${DOUBLE_QUOTES}`,
		);
	}

	/** The cells of a row with quotes; undefined where it continues in the next chunk. */
	private quotedCells(start: number): string[] | undefined {
		const { text, cell, strayText } = this;
		const cells: string[] = [];
		cell.lastIndex = start;
		for (;;) {
			strayText.lastIndex = cell.lastIndex;
			const [, quoted, plain = '', end] = cell.exec(text) ?? [];
			if (end === undefined) {
				if (!strayText.test(text)) return undefined;
				throw unreadable(this.line, 'has text after a closing quote', DOUBLE_QUOTES);
			}
			cells.push(quoted?.replaceAll('""', '"') ?? plain);
			if (end === '\n') return cells;
		}
	}

	/** A row below the header. */
	private rowOf(line: number, cells: string[]): FileRow | undefined {
		const { columns } = this;
		if (columns === undefined) {
			this.columns = readHeader(line, cells);
			return undefined;
		}
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
			throw unreadable(
				line,
				`names the column "${shown(name)}" twice`,
				'Rename one of the two columns.',
			);
		}
		if (name !== '') names.add(name);
	}
	return columns;
}
