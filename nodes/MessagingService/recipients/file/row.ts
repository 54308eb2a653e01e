import type { IDataObject } from 'n8n-workflow';

/** One row of a file. */
export interface FileRow {
	/** Line on which it starts, from 1. */
	line: number;
	/** Its values by column. */
	values: IDataObject;
	/** The columns of the file; of JSON Lines, those of the lines so far: a later one may add some. */
	columns: readonly string[];
	/** Of a CSV file: the cells that the row has, also where they are too many or too few. */
	cells?: readonly string[];
	/** Why it is no row, continuing "the row": "has 3 cells, but the header has 4". */
	problem?: string;
}

/** Reads the rows of a file chunk by chunk. */
export interface RowReader {
	/** The rows that end in the text so far. */
	push(text: string): Iterable<FileRow>;
	/** The last row. */
	end(): Iterable<FileRow>;
}

/** More are no list of recipients. */
export const MAX_COLUMNS = 1000;
