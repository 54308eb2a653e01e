import * as n8n from 'n8n-workflow';
import type { IWebhookDescription } from 'n8n-workflow';

/** What newer n8n has for webhook descriptions; both are absent in older n8n. */
const { fromParameter, webhookDescriptionFields } = n8n as Partial<typeof n8n>;

/**
 * The fields as newer n8n reads them off the node without its expression engine, which costs an
 * isolate on every delivery. Older n8n evaluates the expressions.
 */
function fieldsOfNode(): Pick<IWebhookDescription, 'path' | 'responseMode'> {
	return fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({
				path: fromParameter(['options', 'path'], ''),
				responseMode: fromParameter(['options', 'responseMode'], 'onReceived'),
			})
		: {
				path: '={{$parameter["options"]["path"] || ""}}',
				responseMode: '={{$parameter["options"]["responseMode"] || "onReceived"}}',
			};
}

/**
 * Where n8n takes deliveries: at the Path or, where it is empty, at the random webhook ID that n8n
 * gives the node. n8n responds once the execution is stored or, if the user wants that, once it has
 * succeeded.
 */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseData: 'noData',
	isFullPath: true,
	...fieldsOfNode(),
};
