import type { IDataObject } from 'n8n-workflow';
import { findColumns, type ColumnChoice, type Columns } from '../columns';
import { FileError } from './fileError';
import { MAX_COLUMNS, type FileRow } from './rows';

/**
 * Which columns of a file the recipients' fields come from. All rows of a CSV file have the same
 * ones; a line of a JSON Lines file may have a field that no earlier one had.
 */
export class FileColumns {
	private readonly choices: readonly ColumnChoice[];
	private readonly names = new Set<string>();
	/** The first rows, and each later one that has a new column. */
	private readonly samples: IDataObject[] = [];
	private columns: Columns | undefined;

	constructor(choices: readonly ColumnChoice[]) {
		this.choices = choices;
	}

	/** The columns that are sent, and those that are not. */
	get found(): Pick<Columns, 'used' | 'notUsed'> | undefined {
		return this.columns;
	}

	/**
	 * Looks at the first rows, all together.
	 * @throws InputError for a column that none of them has
	 */
	readonly meetFirst = (rows: Iterable<FileRow>): void => {
		for (const row of rows) this.note(row, true);
		if (this.samples.length > 0) this.find();
	};

	/** Looks at a later row, before it is read: it may have a new column. */
	meet(row: FileRow): void {
		const isDelimited = row.record !== undefined;
		if (isDelimited && this.columns !== undefined) return;
		if (this.note(row, false)) this.find();
	}

	/** @returns whether the row is a new sample */
	private note({ line, values, record, problem }: FileRow, isFirst: boolean): boolean {
		if (problem !== undefined && record === undefined) return false;
		const isSample = this.hasNewNames(values) || isFirst;
		if (isSample) this.samples.push(complete(values, record?.columns));
		if (this.names.size > MAX_COLUMNS) {
			throw new FileError(
				line,
				`brings its columns to more than ${MAX_COLUMNS}`,
				'Use the same field names in all lines.',
			);
		}
		return isSample;
	}

	private find(): void {
		const items = this.samples.map((json) => ({ json }));
		this.columns = findColumns(this.choices, items, undefined, 'column of the file');
	}

	private hasNewNames(values: IDataObject): boolean {
		const { size } = this.names;
		for (const name in values) this.names.add(name);
		return this.names.size > size;
	}

	/** The recipient's fields of a row, by the names that they have in a candidate. */
	read(values: IDataObject): IDataObject {
		return this.columns?.read(values) ?? {};
	}
}

/** Of a row with too few cells, all columns are known nevertheless. */
function complete(values: IDataObject, columns: readonly string[] = []): IDataObject {
	const all: IDataObject = {};
	for (const name of columns) if (name !== '') all[name] = '';
	return Object.assign(all, values);
}
