import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { connect } from '../transport/connection';
import { sendWebhookUrl } from '../transport/updateWebhook';

/** Registers a URL with the service; empty for none. The caller notes who has it then. */
export async function tellService(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
): Promise<void> {
	const client = await connect(context, { webhookurl: 'Webhook URL', clientid: 'Client ID' });
	await sendWebhookUrl(client, url);
}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Whether a call failed for a reason that passes: no response, too many requests, an error of the service. */
export function isPassing(error: unknown): boolean {
	return error instanceof NodeApiError && !/^(3\d\d|4(?!08|29)\d\d)$/.test(error.httpCode ?? '');
}
