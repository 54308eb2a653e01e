import type { IWebhookDescription } from 'n8n-workflow';
import * as workflow from 'n8n-workflow';

/**
 * The path as newer n8n reads it off the node without its expression engine, which costs an
 * isolate on every delivery; older n8n has no such helper and evaluates the expression.
 */
function pathField(): { path: string } {
	const { fromParameter, webhookDescriptionFields } = workflow as Partial<typeof workflow>;
	return fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({ path: fromParameter('path') })
		: { path: '={{$parameter["path"]}}' };
}

/** Where n8n takes deliveries, and that it answers them once their execution is stored. */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	responseData: 'noData',
	isFullPath: true,
	...pathField(),
};
