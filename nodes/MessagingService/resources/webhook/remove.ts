import { defineOperation } from '../define';
import { updateWebhook } from '../../transport/updateWebhook';

export const remove = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove webhook URL',
	description: 'Remove the registered URL, so that no events of the client are delivered any more',
	kind: 'perItem',
	fields: [
		{
			displayName:
				'The service keeps one webhook URL per client: without it, no published trigger gets events any more',
			name: 'removesNotice',
			type: 'notice',
			default: '',
		},
	],
	async run({ client }) {
		await updateWebhook(client, '');
		return { success: true };
	},
});
