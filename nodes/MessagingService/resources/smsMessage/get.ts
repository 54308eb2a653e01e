import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { smsMessageLocator } from '../shared/locators';
import { chosenMessage, messageOutputFields } from './message';

/** `GET /api/SMSMessages:Id`, as the interface has it, or with a slash before the ID. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS message',
	description: 'Look up one SMS message by its ID: its status, its price and how many parts it has',
	fields: [smsMessageLocator, ...messageOutputFields],
	async run(call) {
		const { client, parameters } = call;
		const id = parameters.locator(smsMessageLocator);
		const output = chosenMessage(call);
		const message = await client.record({
			method: 'GET',
			path: `/api/SMSMessages${pathSegment(id)}`,
			otherPath: `/api/SMSMessages/${pathSegment(id)}`,
		});
		return output(message);
	},
});
