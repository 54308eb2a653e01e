import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ParameterReader } from '../../parameters/reader';
import { readText } from '../../parameters/values';
import { readSingleNumber, singleNumberOptions } from '../../recipients/phoneNumber';
import { PARAMETER_NAMES } from '../../policy/storedNumbers';
import type { ChangingOperation } from '../operation';
import { defineOperation } from '../define';
import { readOwnId } from '../shared/textFields';
import { undocumentedOutput } from '../shared/responses';

/** Parameter 1 to 9; one that is added but empty is sent empty, which clears it. */
const parameterFields = PARAMETER_NAMES.map((name, index): INodeProperties => ({
	displayName: `Parameter ${index + 1}`,
	name,
	type: 'string',
	default: '',
	description:
		'Leave empty to clear the stored value. An expression clears it only if it returns an empty text.',
}));

const storageIdField = {
	displayName: 'Storage ID',
	name: 'storageID',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. customer-4711',
	description: 'Your identifier of the stored item',
} satisfies INodeProperties;

const storedNumberField = {
	displayName: 'Phone Number',
	name: 'number',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +447700900123',
	description:
		'Number to store. Without country code, it needs a Default Country in the credential or in Options.',
} satisfies INodeProperties;

const parametersField: INodeProperties = {
	displayName: 'Parameters',
	name: 'parameters',
	type: 'collection',
	placeholder: 'Add Parameter',
	default: {},
	description: 'Free texts to store with the number',
	options: parameterFields,
};

/**
 * `POST /api/PhoneNumberStorageItem` (interface, "Phone number storage"): create and update are
 * listed identically, so they are one request under two names.
 */
function saveOperation(
	texts: Pick<ChangingOperation, 'value' | 'name' | 'action' | 'description'>,
) {
	return defineOperation({
		...texts,
		fields: [storageIdField, storedNumberField, parametersField],
		options: singleNumberOptions,
		reaches: 'nobody',
		request(call) {
			const storageID = readOwnId(call, storageIdField);
			const body = {
				storageID,
				number: readSingleNumber(call, storedNumberField),
				...readParameters(call.parameters),
			};
			return {
				method: 'POST',
				path: '/api/PhoneNumberStorageItem',
				reaches: { kind: 'nobody' },
				changes: storageID,
				isRepeatable: true,
				body,
				output: { storageID, number: body.number },
			};
		},
		result: undocumentedOutput,
	});
}

export const create = saveOperation({
	value: 'create',
	name: 'Create',
	action: 'Create stored phone number',
	description: 'Store a new phone number with up to nine parameters: add or save it under an ID',
});

export const update = saveOperation({
	value: 'update',
	name: 'Update',
	action: 'Update stored phone number',
	description: 'Change a stored phone number and its parameters',
});

/** The parameters that the user added. */
function readParameters(parameters: ParameterReader): IDataObject {
	const values: IDataObject = {};
	for (const { name, displayName } of parameterFields) {
		const added = parameters.added(parametersField.name, name, displayName);
		if (added === undefined) continue;
		// An expression that finds nothing gives no text: it must not clear what is stored.
		values[name] = added.value === '' ? '' : readText(added.value, displayName);
	}
	return values;
}
