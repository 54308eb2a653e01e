import type { IDataObject } from 'n8n-workflow';
import { findColumns, type ColumnChoice, type Columns } from '../columns';
import type { FileRow } from './row';

/**
 * Which columns of a file the recipients' fields come from. All rows of a CSV file have the same
 * ones; a line of a JSON Lines file may have a field that no earlier one had.
 */
export class FileColumns {
	/** The columns; undefined before the first row. */
	found: Columns | undefined;
	private readonly choices: readonly ColumnChoice[];
	/** The first rows, and each later one that has a new column. */
	private readonly samples: IDataObject[] = [];
	/** How many columns have been seen. */
	private count = 0;

	constructor(choices: readonly ColumnChoice[]) {
		this.choices = choices;
	}

	/**
	 * Looks at the first rows, all together. The first row of a CSV file tells all columns.
	 * @throws InputError for a column that none of them has
	 */
	readonly meetFirst = (rows: Iterable<FileRow>): void => {
		let columns: readonly string[] = [];
		for (const row of rows) {
			({ columns } = row);
			this.samples.push(row.values);
			if (row.cells !== undefined) break;
		}
		if (columns.length > 0) this.find(columns);
	};

	/** Looks at a later row, before it is read: it may have a new column. */
	meet({ columns, values }: FileRow): void {
		if (columns.length <= this.count) return;
		this.samples.push(values);
		this.find(columns);
	}

	private find(columns: readonly string[]): void {
		const names = new Set(columns.filter((name) => name !== ''));
		this.count = columns.length;
		this.found = findColumns(this.choices, {
			names,
			has: ({ path, read }) =>
				names.has(path) || this.samples.some((values) => read(values) !== undefined),
			noun: 'column of the file',
		});
	}
}
