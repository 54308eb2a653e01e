import type { IHookFunctions, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { Failure } from '../failure';
import { messageOf } from '../texts';
import { connect } from '../transport/connection';
import { webhookRequest } from '../transport/webhookRequest';
import { withoutToken, withToken } from '../transport/webhookToken';
import { showSample } from './samples';
import { readTriggerSettings } from './settings';
import { memoryOf, noteToken, triggerKey } from './token';
import { claimsOf, webhookHolder, type Claim, type WebhookHolder } from './webhookHolder';

const LABELS = { webhookurl: 'Webhook URL', clientid: 'Client ID' };

/**
 * The trigger's workflow is published, started again by n8n, or listened to in the editor. Listening
 * shows a sample event and touches nothing.
 */
export async function register(context: IHookFunctions): Promise<void> {
	if (['init', 'leadershipChange'].includes(context.getActivationMode())) {
		await registerAfterStart(context);
		return;
	}
	assertPath(context);
	if (context.getMode() === 'manual') {
		void showSample(context, ownUrl(context));
		return;
	}
	const claimed = await claimUrl(context, Date.now());
	if (claimed === undefined) {
		for (const { holder, claim } of claimsOf(triggerKey(context))) holder.release(claim);
		return;
	}
	await claimed.holder.publish(claimed.claim);
	memoryOf(context).publishedAt = claimed.claim.since;
}

/** What is thrown here would make n8n take no deliveries at all, so it is logged. */
async function registerAfterStart(context: IHookFunctions): Promise<void> {
	try {
		const claimed = await claimUrl(context, memoryOf(context).publishedAt ?? 0);
		claimed?.holder.start(claimed.claim);
	} catch (error) {
		const { id: workflowId, name = '' } = context.getWorkflow();
		context.logger.error(
			`The webhook URL of the workflow "${name}" cannot be registered after the start of n8n: ${messageOf(error)}`,
			{ workflowId, nodeName: context.getNode().name },
		);
	}
}

/** The trigger's workflow is unpublished, published in another version, or listening has ended. */
export function unregister(context: IHookFunctions): void {
	const url = ownUrl(context);
	for (const { holder, claim } of claimsOf(triggerKey(context))) {
		// The end of listening has the test URL. Not awaited: n8n goes on, perhaps with the next version.
		if (withoutToken(claim.url) === withoutToken(url)) void holder.leave(claim);
	}
}

/** n8n has started the trigger, as beside each `register`, until it calls the `closeFunction`. */
export function watch(context: ITriggerFunctions): ITriggerResponse {
	if (context.getMode() === 'manual') return {};
	const trigger = triggerKey(context);
	return {
		closeFunction: async () => {
			for (const { holder, claim } of claimsOf(trigger)) void holder.stop(claim);
			await Promise.resolve();
		},
	};
}

/** The production URL or, while listening, the test URL. */
function ownUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

/**
 * Refuses a Path at which n8n would not receive the events.
 * @throws Failure
 */
function assertPath(context: IHookFunctions): void {
	const path = String(context.getNodeParameter('path', '') ?? '').replace(/^\/|\/$/g, '');
	const isPlain = path.split('/').every((part) => /^[\w.~-]+$/.test(part) && !/^\.+$/.test(part));
	if (path === '' || isPlain) return;
	throw Failure.ofField(
		'Path',
		`cannot be "${path.slice(0, 40)}"`,
		'Use letters, digits, hyphens, underscores and dots, with slashes between parts. n8n would not receive events at another path.',
	);
}

function isLoopback({ hostname }: URL): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
}

/**
 * Refuses a URL that the service can never reach, before anything is registered.
 * @throws Failure
 */
function assertReachable(url: string, baseUrl: string): void {
	const isWeb = URL.canParse(url) && /^https?:/.test(url);
	if (isWeb && (!isLoopback(new URL(url)) || isLoopback(new URL(baseUrl)))) return;
	throw new Failure(
		'The service cannot reach the webhook URL',
		`The URL is ${url}. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL before n8n 2) to the address under which it is reached from the internet, and restart n8n. To try it from your own machine, open a tunnel and set the variable to the address of the tunnel.`,
	);
}

/**
 * Notes the token for deliveries, and claims the URL of its account.
 * @param since when the workflow was published, in milliseconds
 * @returns undefined where the user registers the URL
 * @throws Failure
 */
async function claimUrl(
	context: IHookFunctions,
	since: number,
): Promise<{ holder: WebhookHolder; claim: Claim } | undefined> {
	const url = ownUrl(context);
	const { isManual } = readTriggerSettings(context);
	const client = await connect(context, LABELS);
	noteToken(context, client.settings);
	if (isManual) return undefined;
	assertReachable(url, client.settings.baseUrl);
	const { id: workflowId, name: workflow = '' } = context.getWorkflow();
	const node = context.getNode();
	const trigger = triggerKey(context);
	const holder = webhookHolder(client.settings);
	return {
		holder,
		claim: {
			trigger,
			workflow,
			since,
			url: withToken(url, client.settings.webhookToken),
			async tell(told) {
				// Read again: after months, the credential may have another key.
				const current = await connect(context, LABELS);
				if (webhookHolder(current.settings) !== holder) {
					throw new Failure('The credential points to another service or client now', '');
				}
				await current.post(webhookRequest(current, told));
			},
			log(level, message) {
				context.logger[level](message, { workflowId, nodeName: node.name });
			},
		},
	};
}
