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

/** The cells of a record, and the position of its line break. */
interface ReadRecord {
	cells: string[];
	end: number;
}

/**
 * Reads delimited text (RFC 4180) chunk by chunk: quoted cells with doubled quotes and line breaks.
 * Empty lines are no records. A quote within an unquoted cell is text. Only the unfinished record is
 * kept between chunks. Records are given out one by one: thousands that live at the same time would
 * make the memory of Node.js grow.
 */
export class DelimitedReader {
	private readonly delimiter: string;
	private text = '';
	private line = 1;
	/** Cells of the first record. */
	private columns: number | undefined;

	/** @param delimiter one character */
	constructor(delimiter: string) {
		this.delimiter = delimiter;
	}

	/**
	 * The records that end in the text so far, whose lines end with LF.
	 * @throws FileError for quotes that are wrong, and a record that is too long
	 */
	*push(text: string): Generator<FileRecord> {
		this.text += text;
		let start = 0;
		let quote = this.text.indexOf('"');
		for (;;) {
			const lineEnd = this.text.indexOf('\n', start);
			if (lineEnd < 0) break;
			if (quote >= 0 && quote < start) quote = this.text.indexOf('"', start);
			const isPlain = quote < 0 || quote > lineEnd;
			const record = isPlain ? this.plainRecord(start, lineEnd) : this.quotedRecord(start);
			if (record === undefined) break;
			const { line } = this;
			const { cells, end } = record;
			this.line += isPlain ? 1 : countLines(this.text.slice(start, end + 1));
			const isEmpty = end === start;
			start = end + 1;
			if (isEmpty) continue;
			this.columns ??= cells.length;
			yield { line, cells };
		}
		this.text = this.text.slice(start);
		if (this.text.length > MAX_RECORD_CHARACTERS) {
			throw new FileError(
				this.line,
				`is longer than ${MAX_RECORD_CHARACTERS} characters`,
				'Perhaps a quote is not closed, or the file is no CSV file.',
			);
		}
	}

	/** The last record. @throws FileError for an unclosed quote */
	*end(): Generator<FileRecord> {
		yield* this.push('\n');
		if (this.text === '') return;
		throw new FileError(this.line, 'has a quote that is not closed', UNCLOSED_QUOTE);
	}

	private plainRecord(start: number, end: number): ReadRecord {
		return { cells: this.text.slice(start, end).split(this.delimiter), end };
	}

	/** Reads a record with quotes; undefined where it continues in the next chunk. */
	private quotedRecord(start: number): ReadRecord | undefined {
		const { text, delimiter } = this;
		const cells: string[] = [];
		for (let at = start; ; at++) {
			const isQuoted = text[at] === '"';
			const end = isQuoted ? this.endOfQuoted(at) : this.endOfUnquoted(at);
			// What follows a quote tells whether it closes the cell or is doubled.
			if (end === undefined || end >= text.length) return undefined;
			const cell = isQuoted
				? text.slice(at + 1, end - 1).replaceAll('""', '"')
				: text.slice(at, end);
			cells.push(cell);
			at = end;
			if (text[end] === delimiter) continue;
			if (text[end] !== '\n') {
				throw new FileError(
					this.line + countLines(text.slice(start, end)),
					'has text after a closing quote',
					'Double a quote that is part of the text: "" instead of ".',
				);
			}
			this.assertNoRowWithin(cells);
			return { cells, end };
		}
	}

	/** The position behind the closing quote of a cell. */
	private endOfQuoted(start: number): number | undefined {
		for (let at = this.text.indexOf('"', start + 1); at >= 0; at = this.text.indexOf('"', at + 2)) {
			if (this.text[at + 1] !== '"') return at + 1;
		}
		return undefined;
	}

	private endOfUnquoted(start: number): number {
		const { text, delimiter } = this;
		let end = start;
		while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++;
		return end;
	}

	/** @throws FileError where a stray quote of a later row has closed the quote of this one */
	private assertNoRowWithin(cells: readonly string[]): void {
		const { line, columns, delimiter } = this;
		const found = columns === undefined ? undefined : findSwallowedRow(cells, delimiter, columns);
		if (found === undefined) return;
		throw new FileError(
			line,
			'has a quote that is closed only in a later row',
			`Line ${line + found} is within this cell, but looks like a row of its own. ${UNCLOSED_QUOTE} If the cell is right, remove its line breaks.`,
		);
	}
}

function countLines(text: string): number {
	return text.split('\n').length - 1;
}
