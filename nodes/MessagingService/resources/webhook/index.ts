import { defineResource } from '../define';
import { remove } from './remove';
import { set } from './set';

/** The one webhook URL of a client (interface, "Webhook registration"). */
export const webhook = defineResource({
	value: 'webhook',
	name: 'Webhook',
	operations: [set, remove],
});
