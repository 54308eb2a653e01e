import { findColumns, firstNameOf, type ColumnChoice, type Columns } from '../columns';
import { FileError, type FileRow } from './row';

/** More are no list of recipients. */
const MAX_COLUMNS = 1000;

/**
 * Which columns of a file the recipients' fields come from. All rows of a CSV file have the same
 * ones; a line of a JSON Lines file may have a field that no earlier one had.
 */
export class FileColumns {
	/** The columns; undefined before the first row. */
	found: Columns | undefined;
	private readonly choices: readonly ColumnChoice[];
	/** How many columns have been seen. */
	private count = 0;

	constructor(choices: readonly ColumnChoice[]) {
		this.choices = choices;
	}

	/**
	 * Looks at a row, before it is read.
	 * @throws InputError for a column that the file does not have, FileError for too many columns
	 */
	meet({ line, columns, cells }: FileRow): void {
		if (columns.length === this.count) return;
		this.count = columns.length;
		if (this.count > MAX_COLUMNS) {
			throw new FileError(
				line,
				`has a column too many: ${MAX_COLUMNS} are the maximum`,
				'Remove the columns that are not sent, and use the same field names in all lines.',
			);
		}
		const names = new Set(columns.filter((name) => name !== ''));
		const isJson = cells === undefined;
		this.found = findColumns(this.choices, {
			names,
			has: ({ path }) => names.has(path) || (isJson && names.has(firstNameOf(path))),
			noun: 'column of the file',
		});
	}
}
