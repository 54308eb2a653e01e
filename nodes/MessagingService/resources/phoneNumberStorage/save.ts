import { singleNumberOptions } from '../../recipients/singleNumber';
import { flag, only } from '../../returns/fields';
import type { ChangingOperation } from '../operation';
import { defineOperation } from '../define';
import { outputOf } from '../shared/responses';
import {
	numberField,
	parametersField,
	readItem,
	readStorageId,
	STORED_ITEM,
	storageIdField,
} from './item';

/**
 * `POST /api/PhoneNumberStorageItem` (interface, "Phone number storage"): create and update are
 * listed identically, so they are one request under two names.
 */
function saveOperation(
	texts: Pick<ChangingOperation, 'value' | 'name' | 'action' | 'description'>,
) {
	const fields = [storageIdField, numberField, parametersField];
	return defineOperation({
		...texts,
		kind: 'perItem',
		fields,
		options: singleNumberOptions,
		mappable: fields,
		sequenceKey: readStorageId,
		returns: {
			fields: { ...only(STORED_ITEM, ['storageID', 'number']), success: flag(true) },
			isOpen: true,
		},
		request(call) {
			return { method: 'POST', path: '/api/PhoneNumberStorageItem', body: readItem(call) };
		},
		result(response, _call, { body = {} }) {
			return outputOf(response, { storageID: body.storageID, number: body.number });
		},
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
	description: 'Change a stored phone number: replace the number, its parameters or both',
});
