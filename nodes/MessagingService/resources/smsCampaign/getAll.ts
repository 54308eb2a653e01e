import { defineOperation } from '../define';
import { pagedListFields, pagedListOptions, readPagedList } from '../shared/lists';
import { moveToEnd } from '../shared/responses';

/** `GET /api/Campaigns` (interface, "SMS campaigns"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS campaigns',
	description: 'List all SMS campaigns with their status and recipient count',
	fields: pagedListFields,
	...pagedListOptions,
	run: async (call) => (await readPagedList(call, '/api/Campaigns')).map(moveToEnd('status', 'id')),
});
