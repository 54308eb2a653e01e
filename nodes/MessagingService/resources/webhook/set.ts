import { defineOperation } from '../define';
import { updateWebhook } from '../../transport/updateWebhook';

export const set = defineOperation({
	value: 'set',
	name: 'Set',
	action: 'Set the webhook URL',
	description:
		'Register the URL that receives all events of the client. It replaces the URL that is registered now.',
	kind: 'perItem',
	fields: [
		{
			displayName: 'URL',
			name: 'webHookUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://n8n.example.com/webhook/messaging-service',
			description: 'The URL must also be agreed with the service operator beforehand',
		},
	],
	async run({ client, parameters }) {
		const url = parameters.requiredText('webHookUrl', 'URL').trim();
		await updateWebhook(client, url);
		return { url, success: true };
	},
});
