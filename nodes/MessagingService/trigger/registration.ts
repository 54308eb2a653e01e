import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { connect } from '../transport/request';
import { updateWebhook } from '../transport/updateWebhook';

/**
 * What a trigger remembers between its hooks, in the workflow's static data. The service cannot be
 * asked which URL is registered (interface, "Webhook registration"), so this is all there is.
 */
interface RegistrationMemory extends IDataObject {
	/** The URL that this trigger registered; absent when it registered none. */
	registeredUrl?: string;
	/** The URL to put back when listening for a test event ends. */
	urlAfterTest?: string;
}

function memoryOf(context: IHookFunctions): RegistrationMemory {
	return context.getWorkflowStaticData('node') as RegistrationMemory;
}

async function tellService(context: IHookFunctions, url: string): Promise<void> {
	const client = await connect(context, { webhookurl: 'Webhook URL', clientid: 'Client ID' });
	await updateWebhook(client, url);
}

/** The production URL beside a test URL: n8n gives hooks only the one of their mode. */
function productionUrl(testUrl: string): string {
	return testUrl.replace('/webhook-test/', '/webhook/');
}

/** Registers this trigger's URL, or, while listening in the editor, its test URL. */
export async function register(context: IHookFunctions): Promise<void> {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new NodeOperationError(context.getNode(), 'n8n has no webhook URL for this node', {
			description: 'Set a Path in the node.',
		});
	}
	await tellService(context, url);
	const memory = memoryOf(context);
	memory.registeredUrl = url;
	if (context.getMode() === 'manual') memory.urlAfterTest = productionUrl(url);
}

/**
 * Removes the registration, but only one that this trigger made: never after a `register` that
 * failed. After listening in the editor it puts the production URL back instead, for the service
 * keeps one URL per client and live events must find their way again.
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	const memory = memoryOf(context);
	if (memory.registeredUrl === undefined) return;
	await tellService(context, memory.urlAfterTest ?? '');
	delete memory.registeredUrl;
	delete memory.urlAfterTest;
}
