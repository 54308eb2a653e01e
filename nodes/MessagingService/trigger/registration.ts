import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { connect } from '../transport/connection';
import { updateWebhook } from '../transport/updateWebhook';
import { withToken } from '../transport/webhookToken';
import { LimitedMap } from './limitedMap';
import { readCredential, triggerKey, type TriggerCredential } from './triggerCredential';

/**
 * What a trigger remembers between its hooks, in the workflow's static data: the service cannot be
 * asked which URL is registered (interface, "Webhook registration"). URLs are without token.
 */
interface RegistrationMemory extends IDataObject {
	/** The URL that this trigger registered; absent when it registered none. */
	registeredUrl?: string;
	/** The URL to register when listening for a test event ends; absent otherwise. */
	urlAfterListening?: string;
}

/** A trigger that is known to have set an account's URL. */
interface Holder {
	trigger: string;
	workflow: string;
}

/**
 * Who holds the one URL of each account, as far as this process knows: so that unpublishing one
 * workflow does not remove the URL that another one has registered since.
 */
const holders = new LimitedMap<string, Holder>(1000);

const TEST_SEGMENT = 'webhook-test';
const PRODUCTION_SEGMENT = 'webhook';

/** Waits before telling the service again that listening is over. */
const RESTORE_PAUSES = [0, 500, 2000];

function memoryOf(context: IHookFunctions): RegistrationMemory {
	return context.getWorkflowStaticData('node') as RegistrationMemory;
}

function textParameter(context: IHookFunctions, name: string): string {
	const value = context.getNodeParameter(name, '');
	return typeof value === 'string' ? value.trim() : '';
}

function holderOf(context: IHookFunctions): Holder {
	return { trigger: triggerKey(context), workflow: context.getWorkflow().name ?? '' };
}

/** A delivery shows that a trigger's URL is registered; counts only where nothing else is known. */
export function noteDelivery(account: string, trigger: string, workflow: string): void {
	if (holders.get(account) === undefined) holders.set(account, { trigger, workflow });
}

async function tellService(context: IHookFunctions, url: string): Promise<void> {
	const client = await connect(context, { webhookurl: 'Webhook URL', clientid: 'Client ID' });
	await updateWebhook(client, url);
}

function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(hostname: string): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
}

/** Refuses a URL that the service can never reach, before anything is registered. */
function assertReachable(context: IHookFunctions, url: string, label: string, baseUrl: string) {
	const parsed = parseUrl(url);
	const node = context.getNode();
	if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
		throw new NodeOperationError(node, `${label} is not an http or https URL: ${url}`, {
			description: 'The service delivers events to http and https URLs only.',
		});
	}
	const service = parseUrl(baseUrl);
	const isServiceLocal = service !== undefined && isLoopback(service.hostname);
	if (isLoopback(parsed.hostname) && !isServiceLocal) {
		throw new NodeOperationError(
			node,
			`The service cannot reach this n8n: ${label} is ${parsed.origin}, which only this machine itself can open`,
			{
				description:
					'Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL before n8n 2) to the address under which it is reached from the internet, and restart it. To try it from your own machine, open a tunnel to it and set the variable to the address of the tunnel.',
			},
		);
	}
}

function ownUrl(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	const path = textParameter(context, 'path').replace(/^\/|\/$/g, '');
	if (url === undefined || path === '') {
		throw new NodeOperationError(context.getNode(), 'The trigger has no URL', {
			description: 'Set a Path in the node.',
		});
	}
	if (/(^|\/):/.test(path)) {
		throw new NodeOperationError(context.getNode(), 'The Path must not have variable parts', {
			description:
				'The service keeps exactly one URL. Remove the parts of the Path that start with a colon.',
		});
	}
	return url;
}

/**
 * The production URL that belongs to a test URL, for n8n gives hooks only the one of their mode.
 * The base is taken from the REST address: that of test URLs may be the editor's own.
 */
function productionUrl(context: IHookFunctions, testUrl: string): string | undefined {
	const path = textParameter(context, 'path').replace(/^\/|\/$/g, '');
	// n8n leaves a slash at the end of the Path where it is.
	const tail = testUrl.endsWith('/') ? `/${path}/` : `/${path}`;
	const ending = `/${TEST_SEGMENT}${tail}`;
	if (!testUrl.endsWith(ending)) return undefined;
	const rest = context.getRestApiUrl();
	const base = parseUrl(rest) ? rest.replace(/\/[^/]*\/?$/, '') : testUrl.slice(0, -ending.length);
	return `${base}/${PRODUCTION_SEGMENT}${tail}`;
}

/** A URL that the user names gets the token only where it leads back to this n8n. */
function registrable(
	url: string,
	own: string,
	{ token }: TriggerCredential,
): { url: string; sent: string } {
	const isOwn = parseUrl(url)?.origin === parseUrl(own)?.origin;
	return { url, sent: isOwn ? withToken(url, token) : url };
}

/** Registers this trigger's URL, or, while listening in the editor, its test URL. */
export async function register(context: IHookFunctions): Promise<void> {
	if (context.getNodeParameter('registration', 'automatic') === 'manual') return;
	const isTest = context.getMode() === 'manual';
	if (isTest && context.getNodeParameter('whileListening', 'borrow') === 'leave') return;

	const memory = memoryOf(context);
	// n8n may hand over what was remembered of a version that it has taken down just now.
	delete memory.registeredUrl;
	delete memory.urlAfterListening;
	const url = ownUrl(context);
	const credential = await readCredential(context);
	assertReachable(context, url, 'the webhook URL', credential.baseUrl);
	let urlAfterListening: string | undefined;
	if (isTest) {
		const named = textParameter(context, 'urlAfterListening');
		urlAfterListening = named === '' ? productionUrl(context, url) : named;
		if (urlAfterListening === undefined) {
			throw new NodeOperationError(
				context.getNode(),
				'It is not known which URL to put back when listening ends',
				{
					description:
						'This n8n uses its own names for webhook addresses. Set "URL After Listening" in the node to the production URL, or choose to leave the registration alone while listening.',
				},
			);
		}
		assertReachable(context, urlAfterListening, '"URL After Listening"', credential.baseUrl);
	} else {
		const holder = holders.get(credential.account);
		if (holder !== undefined && holder.trigger !== triggerKey(context)) {
			context.logger.warn(
				`The webhook URL of the workflow "${holder.workflow}" is replaced: the service keeps one URL per client.`,
			);
		}
	}

	await tellService(context, registrable(url, url, credential).sent);
	memory.registeredUrl = url;
	if (urlAfterListening !== undefined) memory.urlAfterListening = urlAfterListening;
	else holders.set(credential.account, holderOf(context));
}

/** Whether another trigger of this n8n has set the URL since. */
function isHeldByAnother(context: IHookFunctions, { account }: TriggerCredential): boolean {
	const holder = holders.get(account);
	return holder !== undefined && holder.trigger !== triggerKey(context);
}

/** The URL that stays registered when the workflow is unpublished; undefined leaves it as it is. */
function urlAfterDeactivation(context: IHookFunctions): string | undefined {
	switch (context.getNodeParameter('onDeactivation', 'remove')) {
		case 'keep':
			return undefined;
		case 'replace':
			return textParameter(context, 'replacementUrl');
		default:
			return '';
	}
}

/**
 * Undoes what `register` has done, and only that: nothing after a `register` that failed, nothing
 * when another trigger has set the URL since. A failing call is reported: n8n tries again, then
 * says so in the workflow.
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	const memory = memoryOf(context);
	const { registeredUrl, urlAfterListening } = memory;
	if (registeredUrl === undefined) return;
	const credential = await readCredential(context);

	if (urlAfterListening !== undefined) {
		await restore(context, registrable(urlAfterListening, registeredUrl, credential).sent);
	} else {
		const url = urlAfterDeactivation(context);
		if (url !== undefined && !isHeldByAnother(context, credential)) {
			if (url !== '') assertReachable(context, url, '"Replacement URL"', credential.baseUrl);
			const sent = url === '' ? '' : registrable(url, registeredUrl, credential).sent;
			await tellService(context, sent);
			holders.delete(credential.account);
		}
	}
	delete memory.registeredUrl;
	delete memory.urlAfterListening;
}

/**
 * Puts the URL of live events back after listening. n8n has nobody to show a failure to by then,
 * and what is thrown here leaves its test listener behind: so it is tried again, and logged.
 */
async function restore(context: IHookFunctions, url: string): Promise<void> {
	let problem: unknown;
	for (const pause of RESTORE_PAUSES) {
		await sleep(pause);
		try {
			await tellService(context, url);
			return;
		} catch (error) {
			problem = error;
		}
	}
	const reason = problem instanceof Error ? problem.message : String(problem);
	context.logger.error(
		`Listening for a test event has ended, but the webhook URL for live events could not be registered again: ${reason}. Publish the workflow again, or run the node Messaging Service with Webhook: Set.`,
		{ workflowId: context.getWorkflow().id, nodeName: context.getNode().name },
	);
}
