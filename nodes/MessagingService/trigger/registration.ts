import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { connect } from '../transport/request';

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

/** `POST /api/integrations/UpdateWebHook?url=`; an empty URL removes the registration. */
async function updateWebhook(context: IHookFunctions, url: string): Promise<void> {
	const client = await connect(context, { webhookurl: 'Webhook URL', clientid: 'Client ID' });
	const { clientId } = client.settings;
	if (clientId === '') {
		throw new NodeOperationError(context.getNode(), 'The Client ID of the credential is empty', {
			description: 'The service registers one webhook per client: set the Client ID it issued.',
		});
	}
	await client.anything({
		method: 'POST',
		path: '/api/integrations/UpdateWebHook',
		query: { url, clientId },
	});
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
	await updateWebhook(context, url);
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
	await updateWebhook(context, memory.urlAfterTest ?? '');
	delete memory.registeredUrl;
	delete memory.urlAfterTest;
}
