import type { IDataObject } from 'n8n-workflow';
import { findColumns, type ColumnChoice, type Columns } from '../columns';
import type { FileRow } from './row';

/**
 * Which columns of a file the recipients' fields come from. All rows of a CSV file have the same
 * ones; a line of a JSON Lines file may have a field that no earlier one had.
 */
export class FileColumns {
	private readonly choices: readonly ColumnChoice[];
	/** The first rows, and each later one that has a new column. */
	private readonly samples: { json: IDataObject }[] = [];
	/** How many columns have been seen. */
	private count = 0;
	private columns: Columns | undefined;

	constructor(choices: readonly ColumnChoice[]) {
		this.choices = choices;
	}

	/** The columns that are sent, and those that are not. */
	get found(): Pick<Columns, 'used' | 'notUsed'> | undefined {
		return this.columns;
	}

	/**
	 * Looks at the first rows, all together. The first row of a CSV file tells all columns.
	 * @throws InputError for a column that none of them has
	 */
	readonly meetFirst = (rows: Iterable<FileRow>): void => {
		let last: FileRow | undefined;
		for (const row of rows) {
			last = row;
			this.samples.push(sampleOf(row));
			if (row.cells !== undefined) break;
		}
		if (last !== undefined && last.columns.length > 0) this.find(last);
	};

	/** Looks at a later row, before it is read: it may have a new column. */
	meet(row: FileRow): void {
		if (row.columns.length <= this.count) return;
		this.samples.push(sampleOf(row));
		this.find(row);
	}

	private find({ columns }: FileRow): void {
		this.columns = findColumns(this.choices, this.samples, undefined, 'column of the file');
		this.count = columns.length;
	}

	/** The recipient's fields of a row, by the names that they have in a candidate. */
	read(values: IDataObject): IDataObject {
		return this.columns?.read(values) ?? {};
	}
}

/** Of a row with too few cells, all columns are known nevertheless. */
function sampleOf({ values, columns, cells }: FileRow): { json: IDataObject } {
	if (cells === undefined) return { json: values };
	const names = columns.filter((name) => name !== '');
	return { json: { ...Object.fromEntries(names.map((name) => [name, ''])), ...values } };
}
