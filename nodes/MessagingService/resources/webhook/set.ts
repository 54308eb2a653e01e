import type { INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import { webhookRequest } from '../../transport/webhookRequest';
import { withToken } from '../../transport/webhookToken';
import { defineOperation } from '../define';
import { additionalFields, clientIdField, readClientId } from '../shared/fields';

const urlField = {
	displayName: 'URL',
	name: 'webHookUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://n8n.example.com/webhook/events',
	description: 'URL that receives the events. The service operator must allow it first.',
	builderHint: {
		propertyHint:
			'Only for receivers outside n8n. To start a workflow with events, add a Messaging Service Trigger: it registers its own URL.',
	},
} satisfies INodeProperties;

const addTokenField = {
	displayName: 'Add Token',
	name: 'addToken',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the token made from the Webhook Secret of the credential, if it has one. The URL of a Messaging Service Trigger needs it.',
} satisfies INodeProperties;

/** `POST /api/integrations/UpdateWebHook` (interface, "Webhook registration"). */
export const set = defineOperation({
	value: 'set',
	name: 'Set',
	action: 'Set webhook URL',
	description:
		'Set where the service sends its events: register the URL that receives all events of the account, in place of the registered one',
	fields: [
		{
			displayName:
				'The service keeps one webhook URL per account. This URL replaces the registered one, even if it belongs to a published trigger.',
			name: 'replacesNotice',
			type: 'notice',
			default: '',
		},
		urlField,
		addTokenField,
		additionalFields([clientIdField]),
	],
	reaches: 'events',
	isHiddenFromAgents: true,
	request(call) {
		const { client, parameters } = call;
		const url = parameters.read(urlField).trim();
		if (/\/webhook-test\//.test(url)) {
			throw Failure.ofField(
				'URL',
				'is a test URL',
				'n8n receives events there only while somebody listens in the editor. Use the production URL.',
			);
		}
		const token = parameters.read(addTokenField) ? client.settings.webhookToken : undefined;
		if (token !== undefined && !URL.canParse(url)) {
			throw Failure.ofField('URL', 'is not a valid URL', 'Start it with https://.');
		}
		const request = webhookRequest(client, withToken(url, token), readClientId(call));
		return { ...request, output: { url, success: true } };
	},
	result(_response, output) {
		return output;
	},
});
