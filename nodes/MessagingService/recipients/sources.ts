import { attempt, isError } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { parseJson } from '../json';
import {
	fieldReader,
	findField,
	inputFieldNames,
	isBlankRow,
	type FieldChoice,
	type FieldsOf,
} from '../parameters/inputFields';
import type { OperationInput } from '../parameters/operationInput';
import { assertKnownNames, entriesOf, isNothing, readText } from '../parameters/values';
import {
	AUTOMATIC,
	jsonName,
	mappingMode,
	NUMBER_PRESET,
	numberField,
	otherFieldNames,
	sourceField,
} from './fields';
import { INPUT_ITEMS } from './fileFields';
import type { RecipientKind } from './kind';
import { readNumber, type NumberOptions } from '../numbers/readNumber';
import { shown } from '../texts';
import { readNumberOptions } from './phoneNumber';
import { rowMaker } from './rowObjects';

const NUMBER_LABEL = 'Phone Number Field';

/** Names of input fields that an output lists. */
const MOST_COLUMNS = 100;

/** Which input fields, or columns of a file, the recipients' fields come from. */
export interface Columns {
	/** Reads the fields of one row, by the names that they have in a candidate. */
	read(json: IDataObject | undefined): IDataObject;
	/** The input fields that are sent. */
	used: string[];
	/** The input fields that no recipient field comes from. */
	notUsed: string[];
	/** The one with the phone numbers, where nobody has named it and it is the only one. */
	guessed?: string | undefined;
}

/** A field of a recipient, by its name in a candidate, and where it comes from. */
export interface ColumnChoice extends FieldChoice {
	name: string;
	/** How numbers are read, where a column that holds them may be taken though nobody has named it. */
	numbers?: NumberOptions | undefined;
}

/**
 * Finds the input fields that recipients are made from.
 * @throws Failure for a name that no row has (the message lists the names there are), and for one
 * that is a phone number
 */
export function findColumns(
	choices: readonly ColumnChoice[],
	rows: FieldsOf,
	samples: readonly IDataObject[],
): Columns {
	let guessed: string | undefined;
	const fields = choices.flatMap((choice) => {
		const { name, numbers } = choice;
		const found = attempt(() => findField(choice, rows));
		if (isError(found)) {
			guessed = numbers && onlyNumberColumn(rows.names, samples, numbers);
			if (guessed === undefined) throw found;
			return [{ path: guessed, read: fieldReader(guessed), name }];
		}
		return found === undefined ? [] : [{ ...found, name }];
	});
	assertHeader(fields.map(({ path }) => path));
	const used = new Set(fields.map(({ path }) => (rows.names.has(path) ? path : firstNameOf(path))));
	const newCandidate = rowMaker();
	return {
		read(json) {
			const candidate = newCandidate();
			for (const { name, read } of fields) candidate[name] = read(json) as IDataObject[string];
			return candidate;
		},
		used: [...used].slice(0, MOST_COLUMNS),
		notUsed: [...rows.names].filter((name) => !used.has(name)).slice(0, MOST_COLUMNS),
		guessed,
	};
}

/** What the user should know of columns that were found. */
export function aboutGuess({ guessed }: Columns): string | undefined {
	if (guessed === undefined) return undefined;
	return `${NUMBER_LABEL}: the column "${shown(guessed)}" was taken, the only one that holds phone numbers.`;
}

/** The input field that a path with dots starts at. */
export function firstNameOf(path: string): string {
	return /^[^.[]+/.exec(path)?.[0] ?? path;
}

/** What may become recipients. They are made one at a time: no second copy of a long list. */
export interface Candidates {
	count: number;
	/** Without a phone number where there is none at the position. */
	at(position: number): IDataObject;
	/** The input item, or the position in the list. */
	placeAt(position: number): number;
	/** Whether it comes from a row with nothing but blank cells. */
	isBlank(position: number): boolean;
	/** Whether each is an input item; otherwise, it is an entry of a list. */
	isItems: boolean;
	/** Where they are input items: the input fields they come from. */
	columns?: Columns;
}

/** The candidates from the source that the user chose. A file is read elsewhere. */
export function readCandidates(kind: RecipientKind, input: OperationInput): Candidates {
	const source = input.parameters.read(sourceField(kind));
	if (source === INPUT_ITEMS) return fromInputItems(kind, input);
	const isJson = source === 'json';
	const entries = isJson ? fromJson(kind, input) : fromList(kind, input);
	return {
		count: entries.length,
		at: (position) => entries[position] ?? {},
		placeAt: (position) => position,
		// In the form, each entry was added by hand.
		isBlank: (position) => isJson && isBlankRow(entries[position]),
		isItems: false,
	};
}

function fromInputItems(kind: RecipientKind, input: OperationInput): Candidates {
	const items = input.context.getInputData();
	const { itemIndexes } = input;
	const columns = findColumns(
		columnChoices(kind, input),
		{
			names: inputFieldNames(items, itemIndexes),
			has: ({ read }) => itemIndexes.some((index) => read(items[index]?.json) !== undefined),
			noun: 'input field',
		},
		items.map(({ json }) => json),
	);
	const guess = aboutGuess(columns);
	if (guess !== undefined) input.warn?.(guess);
	return {
		count: itemIndexes.length,
		at: (position) => columns.read(items[itemIndexes[position] ?? -1]?.json),
		placeAt: (position) => itemIndexes[position] ?? position,
		isBlank: (position) => isBlankRow(items[itemIndexes[position] ?? -1]?.json),
		isItems: true,
		columns,
	};
}

/** Which field or column each of the recipients' fields comes from. */
export function columnChoices(kind: RecipientKind, input: OperationInput): ColumnChoice[] {
	const { parameters } = input;
	const isAutomatic = (parameters.member('options', mappingMode(kind)) ?? AUTOMATIC) === AUTOMATIC;
	const field = otherFieldNames(kind);
	const names = (parameters.member('additionalFields', field) ?? {}) as IDataObject;
	const path = parameters.read(numberField(kind)).trim();
	const matches = isAutomatic && path === NUMBER_PRESET ? [NUMBER_PRESET, kind.numberName] : [];
	const numbers = path === NUMBER_PRESET ? readNumberOptions(input) : undefined;
	const number = { name: kind.numberName, label: NUMBER_LABEL, path, matches, numbers };
	const others = Object.entries(kind.otherFields).map(([name, displayName]) => {
		const label = `${displayName} Field`;
		const isChosen = Object.hasOwn(names, name) && names[name] !== '';
		const chosen = isChosen ? readText(names[name], label).trim() : '';
		return { name, label, path: chosen, matches: isAutomatic && chosen === '' ? [name] : [] };
	});
	return [number, ...others];
}

function fromList(kind: RecipientKind, { parameters }: OperationInput): IDataObject[] {
	const entries = parameters.value(kind.name, kind.label) ?? {};
	return entriesOf(entries, 'entry', kind.label) as IDataObject[];
}

function fromJson(kind: RecipientKind, input: OperationInput): IDataObject[] {
	const label = `${kind.label} (JSON)`;
	const value = input.parameters.value(jsonName(kind), kind.label);
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (!Array.isArray(parsed)) {
		throw Failure.ofField(
			label,
			'is not a JSON array',
			`Write it like ${kind.jsonSample.replace(/\s+/g, ' ')}. Put a value into it with {{ JSON.stringify($json.name) }}, without quotes around it: a quote in the value would end it.`,
		);
	}
	const entries = parsed.map((entry): IDataObject =>
		typeof entry === 'object' && entry !== null
			? (entry as IDataObject)
			: { [kind.numberName]: entry as IDataObject[string] },
	);
	const known = [kind.numberName, ...Object.keys(kind.otherFields), ...(kind.jsonFields ?? [])];
	assertKnownNames(entries, known, label);
	return entries;
}

/** A list without a header: its first person would be taken for one, and get nothing. */
function assertHeader(names: readonly string[]): void {
	const number = names.find((name) => isPhoneNumber(name, { format: 'asEntered' }));
	if (number === undefined) return;
	throw Failure.ofField(
		NUMBER_LABEL,
		`names "${shown(number)}", which is a phone number`,
		'The list has no header: its first row was taken for one, and would not be sent. Add a row with the names of the columns.',
	);
}

/** Rows that are looked at. */
const SAMPLES = 20;

const NAME_OF_NUMBERS = /phone|mobile?|cell|tel|numb?er|nummer|handy|msisdn|whatsapp|sms|gsm/i;
/** As only phone numbers are written: +44 7700 900123, 0044 7700 900123, (07700) 900123. */
const WRITTEN_NUMBER = /^\s*(\+|\(?0)/;

/**
 * The only column that holds phone numbers; undefined where none or several do. Order numbers and
 * dates are digits as well: its name must say so, or the way in which all are written.
 */
function onlyNumberColumn(
	names: Iterable<string>,
	rows: readonly IDataObject[],
	options: NumberOptions,
): string | undefined {
	const samples = rows.slice(0, SAMPLES);
	const holdsNumbers = (name: string) => {
		const values = samples.map((row) => row[name]).filter((value) => !isNothing(value));
		const isNamed = NAME_OF_NUMBERS.test(name);
		return (
			values.length > 0 &&
			values.every(
				(value) =>
					isPhoneNumber(value, options) &&
					(isNamed || WRITTEN_NUMBER.test(String(value as string))),
			)
		);
	};
	const [only, ...others] = [...names].filter(holdsNumbers);
	return others.length === 0 ? only : undefined;
}

function isPhoneNumber(value: unknown, options: NumberOptions): boolean {
	return readNumber(value, options).problem === undefined;
}
