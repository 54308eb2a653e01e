import { defineOperation } from '../define';
import { pagedListFields, pagedListOptions, readPagedList } from '../shared/lists';
import { chosenMessage, messageOutputFields } from './message';

/** `GET /api/SMSMessages` (interface, "SMS messages"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS messages',
	description: 'List all SMS messages that were sent, with their status, price and parts',
	fields: [...pagedListFields, ...messageOutputFields],
	...pagedListOptions,
	async run(call) {
		const output = chosenMessage(call);
		const messages = await readPagedList(call, '/api/SMSMessages');
		return messages.map(output);
	},
});
