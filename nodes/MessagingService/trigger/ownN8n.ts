import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { messageOf } from '../texts';
import { connectionProblem } from '../transport/connectionProblems';
import { withToken } from '../transport/webhookToken';
import { memoryOf } from './memory';
import { sign } from './token';

/** In a request: that an event is handed on, or a signature. In a response: that a trigger gave it. */
export const TRIGGER_HEADER = 'x-messaging-service-trigger';
export const HANDED_ON = 'handed-on';
export const STORED = 'stored';

/** A trigger may respond when its workflow has ended. */
const TIMEOUT_MS = 300_000;

/** The address at which this process takes webhooks, once it has taken one. */
let ownBase: string | undefined;

/** Notes at which address of this machine a delivery has arrived: the public one may lead nowhere. */
export function noteOwnAddress(context: IWebhookFunctions, path: string): void {
	const request = context.getRequestObject();
	const { localAddress, localPort } = request.socket;
	// The path can be written in several ways, and a socket may be none of a network.
	if (localAddress === undefined || !request.path.endsWith(`/${path}`)) return;
	const address = localAddress.replace(/^::ffff:/, '');
	const host = address.includes(':') ? `[${address}]` : address;
	const scheme = 'encrypted' in request.socket ? 'https' : 'http';
	ownBase = `${scheme}://${host}:${String(localPort)}${request.path.slice(0, -path.length)}`;
}

/**
 * Posts to a trigger of this n8n: to this process or, where nothing takes the request there, to the
 * public URL.
 * @param from path of the trigger whose context it is
 * @param to path of the other trigger
 * @returns `stored`, or why it was not: an HTTP status, or what went wrong
 */
export async function postToTrigger(
	context: IHookFunctions | IWebhookFunctions,
	{ from, to, token }: { from: string; to: string; token: string | undefined },
	header: string,
	body: string,
): Promise<string> {
	const publicBase = (context.getNodeWebhookUrl('default') ?? '').slice(0, -from.length);
	let problem = '';
	for (const base of ownBase === undefined ? [publicBase] : [ownBase, publicBase]) {
		try {
			const { statusCode, headers } = (await context.helpers.httpRequest({
				method: 'POST',
				url: withToken(`${base}${to}`, token),
				headers: { 'content-type': 'application/json', [TRIGGER_HEADER]: header },
				body,
				timeout: TIMEOUT_MS,
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			})) as { statusCode: number; headers: IDataObject };
			const isSuccess = statusCode >= 200 && statusCode < 300;
			return isSuccess && headers[TRIGGER_HEADER] === STORED ? STORED : String(statusCode);
		} catch (error) {
			problem = messageOf(error);
			// It may have arrived: at the other address, it would arrive twice.
			if (!connectionProblem('n8n', error).isNotSent) break;
		}
	}
	return problem;
}

/**
 * Has n8n store what this process knows of a trigger: it stores the static data with which its webhook
 * responds. Without a secret, n8n could not tell it from what a stranger sends.
 * @returns as `postToTrigger`
 */
export async function storeMemory(
	context: IHookFunctions | IWebhookFunctions,
	path: string,
	token: string | undefined,
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const body = JSON.stringify(memoryOf(context));
	const signature = sign(credential, path, body);
	if (signature === undefined) return STORED;
	return await postToTrigger(context, { from: path, to: path, token }, signature, body);
}
