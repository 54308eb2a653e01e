import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { isObject } from '../json';
import type { InputCall } from '../parameters/inputCall';
import { InputError } from '../parameters/inputError';
import { inputFieldNames } from '../parameters/inputFields';
import type { ParameterReader } from '../parameters/reader';
import { listItems } from '../parameters/ranges';
import { findColumns, type ColumnChoice, type Columns } from './columns';
import {
	AUTOMATIC,
	jsonName,
	mappingMode,
	NUMBER_FIELD,
	NUMBER_PRESET,
	otherFieldNames,
	sourceName,
} from './fields';
import type { RecipientKind } from './kind';

/** What may become recipients. They are made one at a time: no second copy of a long list. */
export interface Candidates {
	count: number;
	at(position: number): IDataObject;
	/** Whether each is an input item. */
	isItems: boolean;
	/** What one is called in messages. */
	noun: 'item' | 'entry';
	/** Where they are input items: the input fields they come from. */
	columns?: Columns;
}

/** The candidates from the source that the user chose. */
export function readCandidates(kind: RecipientKind<unknown>, call: InputCall): Candidates {
	const label = `${kind.label} From`;
	const source = call.parameters.text(sourceName(kind), label);
	switch (source) {
		case 'inputItems':
			return fromInputItems(kind, call);
		case 'list':
			return listed(fromList(kind, call));
		case 'json':
			return listed(fromJson(kind, call));
		default:
			throw new InputError(
				label,
				`cannot be "${source}"`,
				'Select All Input Items, File, JSON or List Below.',
			);
	}
}

function listed(entries: IDataObject[]): Candidates {
	return {
		count: entries.length,
		at: (position) => entries[position] ?? {},
		isItems: false,
		noun: 'entry',
	};
}

function fromInputItems(kind: RecipientKind<unknown>, call: InputCall): Candidates {
	const items = call.context.getInputData();
	const { itemIndexes } = call;
	const columns = findColumns(columnChoices(kind, call), {
		names: inputFieldNames(items, itemIndexes),
		has: ({ read }) => itemIndexes.some((index) => read(items[index]?.json) !== undefined),
		noun: 'input field',
	});
	return {
		count: itemIndexes.length,
		at: (position) => columns.read(items[itemIndexes[position] ?? -1]?.json),
		isItems: true,
		noun: 'item',
		columns,
	};
}

/** Which field or column each of the recipients' fields comes from. */
export function columnChoices(kind: RecipientKind<unknown>, { parameters }: InputCall) {
	const isAutomatic = (parameters.member('options', mappingMode(kind)) ?? AUTOMATIC) === AUTOMATIC;
	const paths = readOtherFields(kind, parameters);
	const numberPath = parameters.requiredText(NUMBER_FIELD, 'Phone Number Field').trim();
	const number: ColumnChoice = {
		name: kind.numberName,
		label: 'Phone Number Field',
		path: numberPath,
		matches: isAutomatic && numberPath === NUMBER_PRESET ? [NUMBER_PRESET, kind.numberName] : [],
	};
	const others = Object.entries(kind.otherFields).map(([name, displayName]): ColumnChoice => {
		const label = `${displayName} Field`;
		const isChosen = Object.hasOwn(paths, name);
		const path = isChosen ? paths[name] : '';
		if (typeof path !== 'string') {
			throw new InputError(label, 'is not the name of a field', 'Enter the name as text.');
		}
		const matches = isAutomatic && path.trim() === '' ? [name] : [];
		return { name, label, path: path.trim(), matches };
	});
	return [number, ...others];
}

function readOtherFields(kind: RecipientKind<unknown>, parameters: ParameterReader): IDataObject {
	const field = otherFieldNames(kind);
	const paths = parameters.member('additionalFields', field) ?? {};
	if (isObject(paths)) return paths;
	throw new InputError(field.displayName, 'is not an object', 'Use an object of field names.');
}

function fromList(kind: RecipientKind<unknown>, call: InputCall): IDataObject[] {
	const { entry } = call.parameters.collection(kind.name, kind.label);
	return Array.isArray(entry) ? (entry as IDataObject[]) : [];
}

function fromJson(kind: RecipientKind<unknown>, call: InputCall): IDataObject[] {
	const value = call.parameters.value(jsonName(kind), kind.label);
	const parsed =
		typeof value === 'string'
			? jsonParse<unknown>(value, { fallbackValue: () => undefined })
			: value;
	if (!Array.isArray(parsed)) {
		throw new InputError(
			`${kind.label} (JSON)`,
			'is not a JSON array',
			`Write it like ${kind.jsonSample.replace(/\s+/g, ' ')}.`,
		);
	}
	const entries = parsed.map((entry): IDataObject =>
		typeof entry === 'object' && entry !== null
			? (entry as IDataObject)
			: { [kind.numberName]: entry as IDataObject[string] },
	);
	assertKnownFields(kind, entries);
	return entries;
}

/** A key with a typing error would otherwise be dropped, and everybody get the message without it. */
function assertKnownFields(kind: RecipientKind<unknown>, entries: readonly IDataObject[]) {
	const known = [kind.numberName, ...Object.keys(kind.otherFields), ...(kind.jsonFields ?? [])];
	const isKnown = new Set(known);
	const unknown = new Set<string>();
	const places: number[] = [];
	entries.forEach((entry, index) => {
		const keys = Object.keys(entry).filter((key) => !isKnown.has(key));
		if (keys.length > 0) places.push(index + 1);
		for (const key of keys) unknown.add(key);
	});
	const [first] = unknown;
	if (first === undefined) return;
	throw new InputError(
		`${kind.label} (JSON)`,
		`has an unknown field "${first}" (${listItems(places, 'entry', 'entries')})`,
		`The fields of an entry are ${known.join(', ')}. Rename or remove the others: ${[...unknown].slice(0, 10).join(', ')}.`,
	);
}
