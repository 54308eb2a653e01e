import { defineOperation } from '../define';
import { updateWebhook } from '../../transport/updateWebhook';
import { withToken } from '../../transport/webhookToken';
import { InputError } from '../shared/inputError';

export const set = defineOperation({
	value: 'set',
	name: 'Set',
	action: 'Set webhook URL',
	description:
		'Register the URL that receives all events of the client. It replaces the URL that is registered now.',
	kind: 'perItem',
	fields: [
		{
			displayName:
				'The service keeps one webhook URL per client: this one replaces the URL that is registered now, also that of a published trigger',
			name: 'replacesNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'URL',
			name: 'webHookUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://n8n.example.com/webhook/events',
			description: 'The URL must also be agreed with the service operator beforehand',
		},
		{
			displayName: 'Add Token',
			name: 'addToken',
			type: 'boolean',
			default: false,
			description:
				'Whether to add the token made from the Webhook Secret of the credential, if it has one. The URL of a Messaging Service Trigger needs it.',
		},
	],
	async run({ client, parameters }) {
		const url = parameters.requiredText('webHookUrl', 'URL').trim();
		const isTokenWanted = parameters.value('addToken', 'Add Token') === true;
		const token = isTokenWanted ? client.settings.webhookToken : undefined;
		if (token !== undefined && !URL.canParse(url)) {
			throw new InputError('URL', 'is not a valid address', 'Start it with https://.');
		}
		await updateWebhook(client, withToken(url, token));
		return { url, success: true };
	},
});
