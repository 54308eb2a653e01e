import { defineOperation } from '../define';
import { pagedListFields, pagedListOptions, readPagedList } from '../shared/lists';
import { outputFields, chosenOutput } from '../shared/simplify';
import { MESSAGE_FIELDS, simplifiedMessage } from './message';

/** `GET /api/SMSMessages` (interface, "SMS messages"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS messages',
	description: 'List all SMS messages that were sent, with their status, price and parts',
	fields: [...pagedListFields, ...outputFields(MESSAGE_FIELDS)],
	...pagedListOptions,
	async run(call) {
		const output = chosenOutput(
			call,
			MESSAGE_FIELDS,
			simplifiedMessage(call.client.settings.defaultCountry),
		);
		const messages = await readPagedList(call, '/api/SMSMessages');
		return messages.map(output);
	},
});
