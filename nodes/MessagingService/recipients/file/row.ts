import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../failure';

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
	/** Why it is no row, continuing "the row": "has 3 cells, but the header has 4". */
	problem?: string;
}

/** Reads the rows of a file chunk by chunk. */
export interface RowReader {
	/** The rows that end in the text so far, whose lines end with LF. */
	push(text: string): Iterable<FileRow>;
	/** The last row. */
	end(): Iterable<FileRow>;
}

/**
 * A file that cannot be read on: what is wrong, and how to fix it.
 * @param line of the file, from 1; undefined where the whole file is meant
 */
export function unreadable(line: number | undefined, problem: string, advice: string): Failure {
	const what = line === undefined ? 'The file' : `Line ${line} of the file`;
	return new Failure(`${what} ${problem}`, advice);
}

/** A longer row means an unclosed quote or no text file: a recipient has some hundred characters. */
const MAX_CHARACTERS = 1_000_000;

/** @throws Failure where the start of a row, whose end has not come yet, is too long */
export function assertRowEnds(text: string, line: number): void {
	if (text.length <= MAX_CHARACTERS) return;
	throw unreadable(
		line,
		`is longer than ${MAX_CHARACTERS} characters`,
		'Check that each quote is closed, and that this is a CSV or JSON Lines file.',
	);
}
