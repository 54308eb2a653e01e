import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { withToken } from '../transport/webhookToken';
import type { TriggerCredential } from './triggerCredential';

function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(hostname: string): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
}

/**
 * Refuses a URL that the service can never reach, before anything is registered.
 * @param label name of the field or URL, for the error
 * @throws NodeOperationError
 */
export function assertReachable(
	context: IHookFunctions,
	url: string,
	label: string,
	baseUrl: string,
): void {
	const parsed = parseUrl(url);
	const node = context.getNode();
	if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
		throw new NodeOperationError(node, `${label} is not an http or https URL`, {
			description: `Set a URL that starts with http:// or https://: the service delivers events to no others. This is ${url}`,
		});
	}
	const service = parseUrl(baseUrl);
	const isServiceLocal = service !== undefined && isLoopback(service.hostname);
	if (isLoopback(parsed.hostname) && !isServiceLocal) {
		throw new NodeOperationError(node, `${label} is on this machine: the service cannot reach it`, {
			description: `The URL starts with ${parsed.origin}. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL before n8n 2) to the address under which it is reached from the internet, and restart n8n. To try it from your own machine, open a tunnel and set the variable to the address of the tunnel.`,
		});
	}
}

/**
 * The URL of the trigger, without token: the production URL or, while listening, the test URL.
 * @throws NodeOperationError where n8n gives none
 */
export function ownUrl(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new NodeOperationError(context.getNode(), 'The trigger has no URL', {
			description: 'Set a Path in the node.',
		});
	}
	return url;
}

/** A URL that the user names gets the token only where it leads back to this n8n. */
export function withOwnToken(url: string, own: string, { token }: TriggerCredential): string {
	const isOwn = parseUrl(url)?.origin === parseUrl(own)?.origin;
	return isOwn ? withToken(url, token) : url;
}
