import type { IWebhookDescription } from 'n8n-workflow';
import { fromParameter, webhookDescriptionFields } from './hostSupport';

/**
 * The fields as newer n8n reads them off the node without its expression engine, which costs an
 * isolate on every delivery. Older n8n has no such helper and evaluates the expressions; there the
 * execution itself responds where the user wants an immediate response: see `execute`.
 */
function fieldsOfNode(): Pick<IWebhookDescription, 'path' | 'responseMode'> {
	return fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({
				path: fromParameter('path'),
				responseMode: fromParameter(['options', 'responseMode'], 'onReceived'),
			})
		: {
				path: '={{$parameter["path"]}}',
				responseMode:
					'={{$parameter["options"]["responseMode"] === "lastNode" ? "lastNode" : "responseNode"}}',
			};
}

/**
 * Where n8n takes deliveries, and that it responds once their execution is stored or, if the user
 * wants that, once it has succeeded.
 */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseData: 'noData',
	isFullPath: true,
	...fieldsOfNode(),
};
