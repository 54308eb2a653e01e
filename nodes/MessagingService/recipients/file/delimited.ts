import { FileError } from './fileError';
import { findSwallowedRow } from './swallowedRows';

/** One record of a file: the line on which it starts, from 1, and its cells as texts. */
export interface FileRecord {
	line: number;
	cells: string[];
}

/** A longer record means an unclosed quote or no text file: a recipient has some hundred characters. */
export const MAX_RECORD_CHARACTERS = 1_000_000;

const UNCLOSED_QUOTE =
	'Close the quote, or remove it. Double a quote that is part of the text: "" instead of ".';

/** A cell, and the position behind it. */
interface Cell {
	text: string;
	end: number;
}

/** The cells of a record, none for an empty line, and the position of the next record. */
interface ReadRecord {
	cells: string[] | undefined;
	next: number;
}

/** A line break within a text, and what it ends. */
const LINE_BREAK = /\r\n|\r|\n/g;

function countBreaks(text: string): number {
	return text.match(LINE_BREAK)?.length ?? 0;
}

/**
 * Reads delimited text (RFC 4180) chunk by chunk: quoted cells with doubled quotes and line breaks,
 * records that end with LF, CR LF or CR. Empty lines are no records. A quote within an unquoted cell
 * is text. Only the unfinished record is kept between chunks. Records are given out one by one:
 * thousands that live at the same time would make the memory of Node.js grow.
 */
export class DelimitedReader {
	private readonly delimiter: string;
	private text = '';
	private isEnd = false;
	private line = 1;
	/** Cells of the first record. */
	private columns: number | undefined;

	/** @param delimiter one character */
	constructor(delimiter: string) {
		this.delimiter = delimiter;
	}

	/** The records that end in the text so far. */
	push(text: string): Generator<FileRecord> {
		this.text += text;
		return this.read();
	}

	/** The last record. @throws FileError for an unclosed quote */
	end(): Generator<FileRecord> {
		this.isEnd = true;
		return this.read();
	}

	private *read(): Generator<FileRecord> {
		const { text } = this;
		let start = 0;
		let quote = text.indexOf('"');
		let carriage = text.indexOf('\r');
		while (start < text.length) {
			if (carriage >= 0 && carriage < start) carriage = text.indexOf('\r', start);
			const end = this.lineEnd(start, carriage);
			if (end === undefined) break;
			if (quote >= 0 && quote < start) quote = text.indexOf('"', start);
			const isPlain = quote < 0 || quote >= end;
			const { line } = this;
			const record = isPlain ? this.plainRecord(start, end) : this.record(start);
			if (record === undefined) break;
			start = record.next;
			this.columns ??= record.cells?.length;
			if (record.cells !== undefined) yield { line, cells: record.cells };
		}
		this.text = text.slice(start);
		if (this.text.length > MAX_RECORD_CHARACTERS) {
			throw new FileError(
				this.line,
				`is longer than ${MAX_RECORD_CHARACTERS} characters`,
				'Perhaps a quote is not closed, or the file is no CSV file.',
			);
		}
	}

	/**
	 * Where the line ends that a position is in: its break, or the end of the file.
	 * @param carriage the next carriage return, if there is one
	 */
	private lineEnd(from: number, carriage: number): number | undefined {
		const { text, isEnd } = this;
		const feed = text.indexOf('\n', from);
		const end = feed < 0 ? text.length : feed;
		if (carriage >= 0 && carriage < end) {
			// Its line feed may be in the next chunk.
			return carriage === text.length - 1 && !isEnd ? undefined : carriage;
		}
		return feed < 0 && !isEnd ? undefined : end;
	}

	/** The position behind the line break at a position. */
	private afterBreak(at: number): number {
		return this.text.startsWith('\r\n', at) ? at + 2 : at + 1;
	}

	private plainRecord(start: number, end: number): ReadRecord {
		const cells = end > start ? this.text.slice(start, end).split(this.delimiter) : undefined;
		this.line++;
		return { cells, next: this.afterBreak(end) };
	}

	/** Reads a record with quotes; undefined where it goes on in the next chunk. */
	private record(start: number): ReadRecord | undefined {
		const { text, delimiter, line } = this;
		const cells: string[] = [];
		let breaks = 0;
		for (let at = start; ;) {
			const cell = text[at] === '"' ? this.quotedCell(at, line) : this.unquotedCell(at);
			if (cell === undefined) return undefined;
			cells.push(cell.text);
			breaks += text[at] === '"' ? countBreaks(text.slice(at, cell.end)) : 0;
			at = cell.end + 1;
			if (text[cell.end] === delimiter) continue;
			if (cell.end < text.length && !this.isBreak(cell.end)) {
				throw new FileError(
					line + breaks,
					'has text after a closing quote',
					'Double a quote that is part of the text: "" instead of ".',
				);
			}
			if (text[cell.end] === '\r' && at === text.length && !this.isEnd) return undefined;
			if (breaks > 0) this.assertNoRowWithin(cells, line);
			this.line = line + breaks + 1;
			return { cells, next: cell.end < text.length ? this.afterBreak(cell.end) : text.length };
		}
	}

	/** @throws FileError where a stray quote of a later row has closed the quote of this one */
	private assertNoRowWithin(cells: readonly string[], line: number): void {
		const { columns, delimiter } = this;
		const found = columns === undefined ? undefined : findSwallowedRow(cells, delimiter, columns);
		if (found === undefined) return;
		throw new FileError(
			line,
			'has a quote that is closed only in a later row',
			`Line ${line + found} is within this cell, but looks like a row of its own. ${UNCLOSED_QUOTE} If the cell is right, remove its line breaks.`,
		);
	}

	private isBreak(at: number): boolean {
		return this.text[at] === '\n' || this.text[at] === '\r';
	}

	private quotedCell(start: number, line: number): Cell | undefined {
		const { text } = this;
		for (let at = start + 1; ; at++) {
			at = text.indexOf('"', at);
			if (at < 0) {
				if (!this.isEnd) return undefined;
				throw new FileError(line, 'has a quote that is not closed', UNCLOSED_QUOTE);
			}
			if (text[at + 1] === '"') at++;
			// Whether the quote closes the cell or is doubled, the next chunk tells.
			else if (at + 1 === text.length && !this.isEnd) return undefined;
			else return { text: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 };
		}
	}

	private unquotedCell(start: number): Cell | undefined {
		const { text, delimiter } = this;
		let end = start;
		while (end < text.length && text[end] !== delimiter && !this.isBreak(end)) end++;
		if (end === text.length && !this.isEnd) return undefined;
		return { text: text.slice(start, end), end };
	}
}
