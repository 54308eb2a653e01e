import { defineOperation } from '../define';
import { updateWebhook } from '../../transport/updateWebhook';

export const remove = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove the webhook URL',
	description: 'Remove the registered URL, so that no events of the client are delivered any more',
	kind: 'perItem',
	fields: [],
	async run({ client }) {
		await updateWebhook(client, '');
		return { success: true };
	},
});
