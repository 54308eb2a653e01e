import type { IDataObject } from 'n8n-workflow';
import { findField, type FieldChoice, type FieldsOf } from '../parameters/inputFields';
import { rowMaker } from './rowObjects';

/** Names of input fields that an output lists. */
const MOST_LISTED = 100;

/** Which input fields, or columns of a file, the recipients' fields come from. */
export interface Columns {
	/** Reads the fields of one row, by the names that they have in a candidate. */
	read(json: IDataObject | undefined): IDataObject;
	/** The input fields that are sent. */
	used: string[];
	/** The input fields that no recipient field comes from. */
	notUsed: string[];
}

/** A field of a recipient, by its name in a candidate, and where it comes from. */
export interface ColumnChoice extends FieldChoice {
	name: string;
}

/**
 * Finds the input fields that recipients are made from.
 * @throws Failure for a name that no row has; the message lists the names there are
 */
export function findColumns(choices: readonly ColumnChoice[], rows: FieldsOf): Columns {
	const fields = choices.flatMap((choice) => {
		const field = findField(choice, rows);
		return field === undefined ? [] : [{ ...field, name: choice.name }];
	});
	const used = new Set(fields.map(({ path }) => (rows.names.has(path) ? path : firstNameOf(path))));
	const newCandidate = rowMaker();
	return {
		read(json) {
			const candidate = newCandidate();
			for (const { name, read } of fields) candidate[name] = read(json) as IDataObject[string];
			return candidate;
		},
		used: [...used].slice(0, MOST_LISTED),
		notUsed: [...rows.names].filter((name) => !used.has(name)).slice(0, MOST_LISTED),
	};
}

/** The input field that a path with dots starts at. */
export function firstNameOf(path: string): string {
	return /^[^.[]+/.exec(path)?.[0] ?? path;
}
