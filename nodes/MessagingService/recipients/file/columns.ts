import type { IDataObject } from 'n8n-workflow';
import { findColumns, type ColumnChoice, type Columns } from '../columns';
import { FileError } from './fileError';
import type { FileRow } from './rows';

/** Each new one is looked at together with all others. */
const MAX_COLUMNS = 1000;

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
	 * Looks at rows before they are read.
	 * @throws InputError for a column that the first rows of the file do not have
	 */
	meet(rows: readonly FileRow[]): void {
		const isFirst = this.columns === undefined;
		const { length } = this.samples;
		for (const { line, values, record, problem } of rows) {
			if (problem !== undefined && record === undefined) continue;
			if (this.hasNewNames(values) || isFirst) this.samples.push(complete(values, record?.columns));
			if (this.names.size > MAX_COLUMNS) {
				throw new FileError(
					line,
					`brings its columns to more than ${MAX_COLUMNS}`,
					'Use the same field names in all lines.',
				);
			}
		}
		if (this.samples.length === length) return;
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
	const named = columns.filter((name) => name !== '').map((name) => [name, '']);
	return { ...(Object.fromEntries(named) as IDataObject), ...values };
}
