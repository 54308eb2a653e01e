import type { IDataObject } from 'n8n-workflow';
import type { OperationInput } from '../parameters/operationInput';
import { Failure } from '../failure';
import { isObject, parseJson } from '../json';
import { assertKnownNames, entriesOf, readText } from '../parameters/values';
import { inputFieldNames } from '../parameters/inputFields';
import { findColumns, type ColumnChoice, type Columns } from './columns';
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

/** What may become recipients. They are made one at a time: no second copy of a long list. */
export interface Candidates {
	count: number;
	at(position: number): IDataObject;
	/** Whether each is an input item; otherwise, it is an entry of a list. */
	isItems: boolean;
	/** Where they are input items: the input fields they come from. */
	columns?: Columns;
}

/** The candidates from the source that the user chose. A file is read elsewhere. */
export function readCandidates(kind: RecipientKind, input: OperationInput): Candidates {
	const source = input.parameters.read(sourceField(kind));
	if (source === INPUT_ITEMS) return fromInputItems(kind, input);
	const entries = source === 'json' ? fromJson(kind, input) : fromList(kind, input);
	return { count: entries.length, at: (position) => entries[position] ?? {}, isItems: false };
}

function fromInputItems(kind: RecipientKind, input: OperationInput): Candidates {
	const items = input.context.getInputData();
	const { itemIndexes } = input;
	const columns = findColumns(columnChoices(kind, input), {
		names: inputFieldNames(items, itemIndexes),
		has: ({ read }) => itemIndexes.some((index) => read(items[index]?.json) !== undefined),
		noun: 'input field',
	});
	return {
		count: itemIndexes.length,
		at: (position) => columns.read(items[itemIndexes[position] ?? -1]?.json),
		isItems: true,
		columns,
	};
}

/** Which field or column each of the recipients' fields comes from. */
export function columnChoices(kind: RecipientKind, { parameters }: OperationInput): ColumnChoice[] {
	const isAutomatic = (parameters.member('options', mappingMode(kind)) ?? AUTOMATIC) === AUTOMATIC;
	const field = otherFieldNames(kind);
	const names = parameters.member('additionalFields', field) ?? {};
	if (!isObject(names)) {
		throw Failure.ofField(field.displayName, 'is not an object', 'Use an object of field names.');
	}
	const path = parameters.read(numberField(kind)).trim();
	const matches = isAutomatic && path === NUMBER_PRESET ? [NUMBER_PRESET, kind.numberName] : [];
	const number = { name: kind.numberName, label: 'Phone Number Field', path, matches };
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
			`Write it like ${kind.jsonSample.replace(/\s+/g, ' ')}.`,
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
