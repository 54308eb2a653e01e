import type { IWebhookDescription } from 'n8n-workflow';
import * as workflow from 'n8n-workflow';

/**
 * The fields as newer n8n reads them off the node without its expression engine, which costs an
 * isolate on every delivery; older n8n has no such helper and evaluates the expressions.
 */
function fieldsOfNode(): Pick<IWebhookDescription, 'path' | 'responseMode'> {
	const { fromParameter, webhookDescriptionFields } = workflow as Partial<typeof workflow>;
	return fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({
				path: fromParameter('path'),
				responseMode: fromParameter('responseMode', 'onReceived'),
			})
		: {
				path: '={{$parameter["path"]}}',
				responseMode: '={{$parameter["responseMode"] || "onReceived"}}',
			};
}

/**
 * Where n8n takes deliveries, and that it answers them once their execution is stored or, if the
 * user wants that, once it has succeeded.
 */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseData: 'noData',
	isFullPath: true,
	...fieldsOfNode(),
};
