import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { readSingleNumber } from '../../recipients/singleNumber';
import { text, type Fields } from '../../returns/fields';
import type { OperationCall } from '../operation';
import type { ParameterReader } from '../../parameters/reader';
import { readText } from '../../parameters/values';

const PARAMETERS = 'parameters';
const PARAMETER_NAMES = Array.from({ length: 9 }, (_, index) => `parameter${index + 1}`);

/** Parameter 1 to 9; one that is added but empty is sent empty, which clears it. */
export const parameterFields = PARAMETER_NAMES.map((name, index): INodeProperties => ({
	displayName: `Parameter ${index + 1}`,
	name,
	type: 'string',
	default: '',
	description:
		'Leave empty to clear the stored value. An expression clears it only if it returns an empty text.',
}));

/** Interface, "Stored phone number item". */
export const STORED_ITEM: Fields = {
	storageID: text('customer-4711'),
	number: text('+447700900123'),
	...Object.fromEntries(
		PARAMETER_NAMES.map((name, index) => [
			name,
			text(['Ada', 'Monday', '10:30'][index] ?? `Text ${index + 1}`),
		]),
	),
};

/** A stored phone number item (interface, "Stored phone number item"), identified by its ID. */
export const storageIdField = {
	displayName: 'Storage ID',
	name: 'storageID',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. customer-4711',
	description: 'Your identifier of the stored item',
} satisfies INodeProperties;

export const numberField = {
	displayName: 'Phone Number',
	name: 'number',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +447700900123',
	description:
		'Number to store. Without country code, it needs a Default Country in the credential or in Options.',
} satisfies INodeProperties;

export const parametersField: INodeProperties = {
	displayName: 'Parameters',
	name: PARAMETERS,
	type: 'collection',
	placeholder: 'Add Parameter',
	default: {},
	description: 'Free texts to store with the number',
	options: parameterFields,
};

/** The ID of the item that a call saves. */
export function readStorageId({ parameters }: OperationCall): string {
	return parameters.read(storageIdField).trim();
}

/** The item's fields that the user set; texts only. */
export function readItem(call: OperationCall): IDataObject {
	const { parameters } = call;
	return {
		storageID: readStorageId(call),
		number: readSingleNumber(call, numberField),
		...readParameters(parameters, PARAMETERS),
	};
}

/** The parameters that the user added to a collection. */
export function readParameters(parameters: ParameterReader, collection: string): IDataObject {
	const values: IDataObject = {};
	for (const { name, displayName } of parameterFields) {
		const added = parameters.added(collection, name, displayName);
		if (added === undefined) continue;
		// An expression that finds nothing gives no text: it must not clear what is stored.
		values[name] = added.value === '' ? '' : readText(added.value, displayName);
	}
	return values;
}

const isEmpty = (value: unknown) => value === '' || value === null;

/** What a simplified output keeps: the parameters that hold something. */
export function withoutEmptyParameters(item: IDataObject): IDataObject {
	if (!Object.values(item).some(isEmpty)) return item;
	return Object.fromEntries(
		Object.entries(item).filter(
			([name, value]) => !PARAMETER_NAMES.includes(name) || !isEmpty(value),
		),
	);
}
