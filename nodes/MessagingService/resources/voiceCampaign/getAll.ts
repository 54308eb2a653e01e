import { defineOperation } from '../define';
import { pagedListFields, pagedListOptions, readPagedList } from '../shared/lists';
import { idsLast } from './campaign';

/** `GET /api/campaigns/voice/p` (interface, "Voice campaigns"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many voice campaigns',
	description: 'List voice campaigns page by page with their schedule, status and number of calls',
	fields: pagedListFields,
	...pagedListOptions,
	run: async (call) => (await readPagedList(call, '/api/campaigns/voice/p')).map(idsLast),
});
