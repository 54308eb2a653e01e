import { get, has, toPath } from 'lodash';
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { Failure } from '../failure';
import { shorten, shown, shownName, visibleName } from '../texts';
import { isNothing } from './values';

/** Of the names that a message lists: there may be many, of any length. */
const MOST_CHARACTERS = 200;

/** For n8n's AI builder, on fields that take the name of an input field. */
export const namesInputField = {
	propertyHint:
		'The name of a field of the input items, e.g. "phone" or "customer.phone": no expression, no value.',
} satisfies INodeProperties['builderHint'];

/** How to fill such a field in. */
export const NAME_ADVICE = 'Drag a column here, or type its name.';

/** Of a file there is nothing to drag. */
export const COLUMN_ADVICE = 'Type the name of the column as the file has it.';

/** A text field for the name of the input field that another field comes from. */
export function inputFieldName(displayName: string, name: string): INodeProperties {
	return {
		displayName: `${displayName} Field`,
		name,
		type: 'string',
		requiresDataPath: 'single',
		default: '',
		placeholder: `e.g. ${name}`,
	};
}

/**
 * Reads one field of many input items: by its name, or by a path with dots. What every object
 * inherits (`constructor`) is no field.
 */
export function fieldReader(path: string): (json: IDataObject | undefined) => unknown {
	if (/[.[\]]/.test(path)) {
		return (json) => (has(json, path) ? (get(json, path) as unknown) : undefined);
	}
	return nameReader(path);
}

const nameReader =
	(name: string) =>
	(json: IDataObject | undefined): unknown =>
		json !== undefined && Object.hasOwn(json, name) ? json[name] : undefined;

/**
 * Reads what an expression names behind `$json`. There, unlike in a name that is typed, a dot always
 * leads into an object.
 */
export function memberReader(path: string): (json: IDataObject | undefined) => unknown {
	const keys = toPath(path);
	return (json) => (has(json, keys) ? (get(json, keys) as unknown) : undefined);
}

/** The names of all input fields; items need not all have the same ones. */
export function inputFieldNames(
	items: readonly INodeExecutionData[],
	itemIndexes: Iterable<number>,
): Set<string> {
	const names = new Set<string>();
	for (const index of itemIndexes) {
		for (const name in items[index]?.json) names.add(name);
	}
	return names;
}

/** A field, and the input field that it may come from. */
export interface FieldChoice {
	/** Display name of the node's field that chooses the input field. */
	label: string;
	/** The chosen input field: a name or a path with dots. Empty where the user chose none. */
	path: string;
	/** Otherwise, one that is named like one of these: "Custom 1", "custom_1" and "CUSTOM1" are alike. */
	matches: readonly string[];
}

/** An input field that was found. */
export interface FoundField {
	path: string;
	read(json: IDataObject | undefined): unknown;
}

/** What fields are looked for in: input items, or the rows of a file. */
export interface FieldsOf {
	names: ReadonlySet<string>;
	/** Whether any row has a field. */
	has(field: FoundField): boolean;
	/** What a field is called in messages. */
	noun: 'input field' | 'column of the file';
	/** How to name one, where it is not NAME_ADVICE. */
	advice?: string;
}

/**
 * Finds the input field that a field comes from.
 * @returns undefined where the user chose none, and none has its name
 * @throws Failure for a chosen name that no row has, and for two fields with its name: one of them
 * would be dropped silently
 */
export function findField(
	{ label, path, matches }: FieldChoice,
	rows: FieldsOf,
): FoundField | undefined {
	const chosen = path === '' ? undefined : { path, read: fieldReader(path) };
	if (chosen !== undefined && rows.has(chosen)) return chosen;
	const wanted = new Set(matches.map(plain));
	const [match, other] = [...rows.names].filter(
		(name) => wanted.has(plain(name)) || (path !== '' && visibleName(name) === visibleName(path)),
	);
	if (match !== undefined && other !== undefined) {
		throw Failure.ofField(
			label,
			`matches "${shortName(match)}" and "${shortName(other)}"`,
			'Rename or remove one of these input fields, or enter the name of the one to use.',
		);
	}
	if (match !== undefined) return { path: match, read: nameReader(match) };
	if (chosen === undefined) return undefined;
	throw Failure.ofField(
		label,
		`names "${shown(shownName(path))}", which is no ${rows.noun}`,
		`${rows.advice ?? adviceFor(rows.names)} There are: ${listNames(rows.names)}.`,
	);
}

/** How to name an input field: one that has all columns of a CSV file cannot be. */
function adviceFor([name = '', ...others]: Iterable<string>): string {
	const isUnseparated = others.length === 0 && /[;\t|]/.test(name);
	return isUnseparated
		? 'The columns are not separated: set Delimiter in the node that reads the file.'
		: NAME_ADVICE;
}

/** Names as a message lists them. */
function listNames(names: Iterable<string>): string {
	return shorten([...names].map(shownName).join(', ') || 'none', MOST_CHARACTERS);
}

const shortName = (name: string) => shown(shownName(name)).slice(0, 18);

function plain(name: string): string {
	return visibleName(name)
		.toLowerCase()
		.replace(/[\s_-]/g, '');
}

/** The number of a row, which n8n's nodes for sheets add to it. */
const ROW_NUMBER = 'row_number';

/** Whether a row has nothing but blank cells. */
export function isBlankRow(row: IDataObject | undefined): boolean {
	for (const name in row) {
		if (name !== ROW_NUMBER && !isNothing(row[name])) return false;
	}
	return true;
}
