import { webhookRequest } from '../../transport/webhookRequest';
import { defineOperation } from '../define';
import { additionalFields, clientIdField, readClientId } from '../shared/fields';

/** `POST /api/integrations/UpdateWebHook` with an empty URL (interface, "Webhook registration"). */
export const remove = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove webhook URL',
	description: 'Unregister and delete the URL, so that the service stops sending events to it',
	fields: [
		{
			displayName:
				'The service keeps one webhook URL per account. Without it, published triggers receive no events.',
			name: 'removesNotice',
			type: 'notice',
			default: '',
		},
		additionalFields([clientIdField]),
	],
	reaches: 'events',
	isHiddenFromAgents: true,
	request(call) {
		return webhookRequest(call.client, '', readClientId(call));
	},
	result() {
		return { deleted: true };
	},
});
