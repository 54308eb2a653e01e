import type { IHookFunctions, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { filteredNumbers } from '../events/filters';
import { Failure } from '../failure';
import { messageOf } from '../texts';
import { connect } from '../transport/connection';
import { clientKeyOf } from '../transport/settings';
import { accountTriggersOf } from './accountTriggers';
import { holdMemory, memoryOf, triggerKey } from './memory';
import { LABELS, PublishedTrigger } from './published';
import { showSample } from './samples';
import { readTriggerSettings } from './settings';

/** The published triggers of this process: n8n makes a new context for each call of a trigger. */
const published = new Map<string, PublishedTrigger>();

/** What n8n runs of them beside their webhooks. */
const running = new Map<string, ITriggerFunctions>();

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
	const trigger = await readTrigger(context);
	await accountTriggersOf(trigger).publish(trigger);
	published.set(trigger.key, trigger);
}

/** What is thrown here would make n8n take no deliveries at all, so it is logged. */
async function registerAfterStart(context: IHookFunctions): Promise<void> {
	try {
		const trigger = await readTrigger(context, memoryOf(context).publishedAt);
		accountTriggersOf(trigger).start(trigger);
		published.set(trigger.key, trigger);
	} catch (error) {
		const { name = '' } = context.getWorkflow();
		const problem = `The webhook URL of the workflow "${name}" cannot be registered after the start of n8n`;
		log(context, 'error', `${problem}: ${messageOf(error)}`);
	}
}

/** The trigger's workflow is unpublished, published in another version, or listening has ended. */
export function unregister(context: IHookFunctions): void {
	const trigger = published.get(triggerKey(context));
	// The end of listening has the test URL. Not awaited: n8n goes on, perhaps with the next version.
	if (trigger?.url === ownUrl(context)) void accountTriggersOf(trigger).leave(trigger);
}

/** n8n has started the trigger, as beside each `register`, until it calls the `closeFunction`. */
export function runBesideWebhook(context: ITriggerFunctions): ITriggerResponse {
	if (context.getMode() === 'manual') return {};
	const key = triggerKey(context);
	running.set(key, context);
	return {
		closeFunction: async () => {
			const trigger = published.get(key);
			if (trigger !== undefined) void accountTriggersOf(trigger).stop(trigger);
			await Promise.resolve();
		},
	};
}

/** Reads a trigger. @throws Failure */
async function readTrigger(
	context: IHookFunctions,
	publishedAt = Date.now(),
): Promise<PublishedTrigger> {
	const { isManual, hasOwnPath, filters } = readTriggerSettings(context);
	const { settings } = await connect(context, LABELS);
	filteredNumbers(filters, settings.defaultCountry);
	if (hasOwnPath && settings.webhookToken === undefined) {
		throw Failure.ofField(
			'Path',
			'needs a Webhook Secret in the credential',
			'Anyone can guess a Path and deliver events to it. Enter a Webhook Secret in the credential, or clear the Path.',
		);
	}
	if (!isManual) assertReachable(ownUrl(context), settings.baseUrl);
	holdMemory(context);
	const before = accountTriggersOf({ client: clientKeyOf(settings) }).get(triggerKey(context));
	return new PublishedTrigger(
		context,
		settings,
		before?.self.publishedAt ?? publishedAt,
		(level, message) => {
			log(context, level, message);
		},
	);
}

/** Writes into n8n's log; errors into the list of executions as well, where n8n can do that. */
function log(context: IHookFunctions, level: 'warn' | 'error', message: string): void {
	const node = context.getNode();
	context.logger[level](message, { workflowId: context.getWorkflow().id, nodeName: node.name });
	if (level === 'warn') return;
	const { saveFailedExecution }: Partial<ITriggerFunctions> =
		running.get(triggerKey(context)) ?? {};
	saveFailedExecution?.(new NodeOperationError(node, message));
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
	const { path, hasOwnPath } = readTriggerSettings(context);
	const isPlain = path.split('/').every((part) => /^[\w.~-]+$/.test(part) && !/^\.+$/.test(part));
	if (!hasOwnPath || isPlain) return;
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
