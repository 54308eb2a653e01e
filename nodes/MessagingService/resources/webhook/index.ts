import type { Resource } from '../operation';
import { remove } from './remove';
import { set } from './set';

/** The one webhook URL of a client (interface, "Webhook registration"). */
export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook',
	operations: [set, remove],
};
