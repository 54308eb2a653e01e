import type { IWebhookDescription } from 'n8n-workflow';
import { fromParameter, isAnsweredOnceStored, webhookDescriptionFields } from './hostSupport';

/**
 * The path as newer n8n reads it off the node without its expression engine, which costs an
 * isolate on every delivery; older n8n has no such helper and evaluates the expression.
 */
function pathField(): { path: string } {
	return fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({ path: fromParameter('path') })
		: { path: '={{$parameter["path"]}}' };
}

/** Where n8n takes deliveries, and that it answers them once their execution is stored. */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: isAnsweredOnceStored ? 'onReceived' : 'responseNode',
	responseData: 'noData',
	isFullPath: true,
	...pathField(),
};
