import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../define';
import { InputError } from '../shared/inputError';
import { readPhoneNumber } from '../shared/phoneNumbers';

const PARAMETERS = 'Parameters';
const NUMBER = 'Phone Number';
const PARAMETER_NAMES = Array.from({ length: 9 }, (_, index) => `parameter${index + 1}`);

const parameterFields = PARAMETER_NAMES.map((name, index): INodeProperties => ({
	displayName: `Parameter ${index + 1}`,
	name,
	type: 'string',
	default: '',
}));

/** A stored phone number item (interface, "Stored phone number item"), identified by its ID. */
export const storageIdField: INodeProperties = {
	displayName: 'Storage ID',
	name: 'storageID',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. customer-4711',
	description: 'Your identifier of the stored item',
};

export const numberField: INodeProperties = {
	displayName: NUMBER,
	name: 'number',
	type: 'string',
	default: '',
	placeholder: 'e.g. +447700900123',
	description: 'The number to store, in international form',
};

export const parametersField: INodeProperties = {
	displayName: PARAMETERS,
	name: 'parameters',
	type: 'collection',
	placeholder: 'Add Parameter',
	default: {},
	description: 'Free texts stored with the number',
	options: parameterFields,
};

/** The item's fields that the user set; texts only. */
export function readItem({ parameters }: OperationCall): IDataObject {
	return {
		storageID: parameters.requiredText('storageID', 'Storage ID').trim(),
		number: readNumber(parameters.value('number', NUMBER)),
		...readParameters(parameters.collection('parameters', PARAMETERS)),
	};
}

/** A number of an item. @throws InputError when it cannot be used */
export function readNumber(value: unknown): string {
	const { number, problem } = readPhoneNumber(value);
	if (number === undefined) {
		throw new InputError(NUMBER, problem, 'Nothing was stored for this item.');
	}
	return number;
}

/** Parameter 1 to 9 as texts; one that was added but is empty is sent empty. */
export function readParameters(collection: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(collection).map(([name, value]) => {
			if (typeof value === 'object' && value !== null) {
				const label = name.replace(/^parameter/, 'Parameter ');
				throw new InputError(label, 'is neither text nor a number', 'Use one field of the input.');
			}
			return [name, String(value ?? '')];
		}),
	);
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
