import type { INodeProperties } from 'n8n-workflow';
import { storageList } from '../../transport/listRequests';
import { defineOperation } from '../define';
import {
	limitFields,
	pageSizeFor,
	pageSizeOption,
	readLimit,
	readLimitedList,
} from '../shared/lists';
import { outputFields, chosenOutput } from '../shared/simplify';
import { STORED_FIELDS, withoutEmptyParameters } from './item';

/** Interface, "Limits": the maximum of the storage list. */
const storagePageSize = {
	...pageSizeOption,
	typeOptions: { minValue: 1, maxValue: 10_000 },
} satisfies INodeProperties;

/** `GET /api/PhoneNumberStorageItem/:pageSize/:pageIndex` (interface, "Phone number storage"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many stored phone numbers',
	description: 'List stored phone numbers with their parameters',
	fields: [...limitFields, ...outputFields(STORED_FIELDS)],
	options: [storagePageSize],
	async run(call) {
		const { client, parameters } = call;
		const limit = readLimit(call);
		const pageSize = parameters.member('options', storagePageSize) ?? pageSizeFor(limit);
		const output = chosenOutput(call, STORED_FIELDS, withoutEmptyParameters);
		const list = await storageList(client, pageSize);
		const items = await readLimitedList(call, { ...list, limit });
		return items.map(output);
	},
});
