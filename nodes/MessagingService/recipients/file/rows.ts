import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../failure';
import { isObject, parseJson } from '../../json';
import type { Remark } from '../../reason';
import { looksLikeMarkup, shown, visibleName } from '../../texts';
import { rowMaker } from '../rowObjects';
import { decodeFile } from './decode';
import type { FoundEncoding } from './encoding';
import type { FileSource } from './source';

/** One row of a file. */
export interface FileRow {
	/** Line on which it starts, from 1. */
	line: number;
	/** Its values by column. */
	values: IDataObject;
	/** The columns of the file; of JSON Lines, those so far: a later line may add some. */
	columns: readonly string[];
	/** Of a CSV file: the cells that the row has, also where they are too many or too few. */
	cells?: readonly string[];
	/** Why it cannot be read: the text continues "the row", for example "is not a JSON object". */
	problem?: Remark;
}

/** Reads the rows of a file chunk by chunk. */
interface RowReader {
	/** The rows that end in the text so far, whose lines end with LF. */
	push(text: string): Iterable<FileRow>;
	/** The last row. */
	end(): Iterable<FileRow>;
}

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

/**
 * A file that cannot be read on: what is wrong, and how to fix it.
 * @param line of the file, from 1
 */
export function unreadable(line: number, problem: string, advice: string): Failure {
	return new Failure(`Line ${line} of the file ${problem}`, advice);
}

/** A longer row means an unclosed quote or no text file: a recipient has some hundred characters. */
const MAX_ROW_CHARACTERS = 1_000_000;

/** @throws Failure where the start of a row, whose end has not come yet, is too long */
function assertRowEnds(text: string, line: number): void {
	if (text.length <= MAX_ROW_CHARACTERS) return;
	throw unreadable(
		line,
		`is longer than ${MAX_ROW_CHARACTERS} characters`,
		'Check that each quote is closed, and that this is a CSV or JSON Lines file.',
	);
}

/** Reads JSON Lines chunk by chunk: one JSON object per line. Empty lines are skipped. */
class JsonLinesReader implements RowReader {
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
		if (!isObject(values)) {
			const advice = 'Write one object in each line: {"phoneNumber": "+447700900123"}.';
			return [{ line, columns, values: {}, problem: { text: 'is not a JSON object', advice } }];
		}
		for (const name in values) {
			if (this.names.has(name)) continue;
			this.names.add(name);
			columns.push(name);
		}
		return [{ line, columns, values }];
	}
}

const DELIMITERS = [',', ';', '\t', '|'];
const QUOTED_CELL = /"(?:[^"]|"")*"/g;
const DOUBLE_QUOTES = 'Double a quote that is part of the text: "" instead of ".';

/**
 * The delimiter of a file: the one that is most frequent in the header, outside quotes. A file with
 * one column has none: then a comma.
 */
function detectDelimiter(start: string): string {
	const [header = ''] = start.replace(/^\n+/, '').replace(QUOTED_CELL, '').split('\n', 1);
	const countOf = (delimiter: string) => header.split(delimiter).length;
	return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/**
 * Reads delimited text (RFC 4180) chunk by chunk: quoted cells with doubled quotes and line breaks.
 * Empty lines are no rows. A quote within an unquoted cell is text. The first row that is not blank
 * names the columns. Only the unfinished row is kept between chunks. Rows are made one by one:
 * thousands that live at the same time would make the memory of Node.js grow.
 */
class CsvReader implements RowReader {
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
			const cells = isPlain ? this.plainCells(start, lineEnd) : this.quotedCells(start);
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

	/** The cells of a row without quotes: with split(), a file of a million rows takes 3% longer. */
	private plainCells(start: number, end: number): string[] {
		const { text } = this;
		const delimiter = this.delimiter.charCodeAt(0);
		const cells: string[] = [];
		let first = start;
		for (let at = start; at < end; at++) {
			if (text.charCodeAt(at) !== delimiter) continue;
			cells.push(text.slice(first, at));
			first = at + 1;
		}
		cells.push(text.slice(first, end));
		return cells;
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
			const header = readHeader(line, cells);
			if (header.some((name) => name !== '')) this.columns = header;
			return undefined;
		}
		const values = this.newValues();
		for (let index = 0; index < columns.length; index++) {
			const name = columns[index] as string;
			if (name !== '' && cells[index] !== undefined) values[name] = cells[index];
		}
		if (cells.length === columns.length) return { line, values, columns, cells };
		// A delimiter too many or too few moves values into other columns: into the wrong person's text.
		const text = `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, but the header has ${columns.length}`;
		const advice =
			'Give the row one cell for each column. A cell with a comma or a semicolon in it needs quotes.';
		return { line, values, columns, cells, problem: { text, advice } };
	}
}

function readHeader(line: number, cells: readonly string[]): string[] {
	const columns = cells.map(visibleName);
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

/** A row with a damaged byte cannot be sent: nobody knows whose name or number it was. */
function* withDamage(rows: Iterable<FileRow>): Generator<FileRow> {
	const problem = {
		text: 'contains a character that is not valid in the encoding of the file',
		advice: 'Save the file as "CSV UTF-8", or set Encoding in File Options.',
	};
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
	if (looksLikeMarkup(start)) {
		throw unreadable(
			1,
			'begins a web page or XML',
			'Some programs give such a file the name of an Excel file. Open it in a spreadsheet program, and save it as CSV.',
		);
	}
	const separator = SEPARATOR_LINE.exec(start)?.[1];
	const chosen = delimiter === 'auto' ? (separator ?? detectDelimiter(start)) : delimiter;
	return new CsvReader(chosen, separator === undefined ? 1 : 2);
}
