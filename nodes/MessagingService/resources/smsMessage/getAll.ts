import { defineOperation } from '../define';
import { pagedListFields, pagedListOptions, readPagedList } from '../shared/lists';
import { simplifier, simplifyField } from '../shared/simplify';
import { MESSAGE_RETURNS, SIMPLIFIED_MESSAGE } from './message';

/** `GET /api/SMSMessages` (interface, "SMS messages"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS messages',
	description: 'List all SMS messages that were sent, with their status, price and parts',
	fields: [...pagedListFields, simplifyField],
	options: pagedListOptions,
	returns: MESSAGE_RETURNS,
	async run(call) {
		const simplified = simplifier(call, SIMPLIFIED_MESSAGE);
		const messages = await readPagedList(call, '/api/SMSMessages');
		return messages.map(simplified);
	},
});
