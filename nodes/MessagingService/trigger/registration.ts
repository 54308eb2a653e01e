import type { IHookFunctions, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { connect } from '../transport/connection';
import type { ServiceClient } from '../transport/request';
import { sendWebhookUrl } from '../transport/updateWebhook';
import { claimsOf, webhookHolder, type Claim } from '../transport/webhookHolder';
import { withoutToken, withToken } from '../transport/webhookToken';
import { showSample } from './samples';
import { assertSettings, readSettings } from './settings';
import { memoryOf, noteCredential, triggerKey } from './token';

type Problem = [message: string, description: string];

const LABELS = { webhookurl: 'Webhook URL', clientid: 'Client ID' };

/** Shows a failed registration in the list of executions; of each trigger that n8n has started. */
const showFailure = new Map<string, (error: unknown) => void>();

/**
 * The trigger's workflow is published, started again by n8n, or listened to in the editor. Listening
 * shows a sample event and touches nothing.
 */
export async function register(context: IHookFunctions): Promise<void> {
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	// A workflow that n8n starts has been checked when it was published.
	if (!isStart) assertSettings(context);
	const url = ownUrl(context);
	if (context.getMode() === 'manual') {
		void showSample(context, url);
		return;
	}
	const { isManual } = readSettings(context);
	const client = await connect(context, LABELS);
	noteCredential(context, client.settings);
	if (isManual) {
		for (const { holder, claim } of claimsOf(triggerKey(context))) holder.release(claim);
		return;
	}
	const problem = reachProblem(url, client.settings.baseUrl);
	if (isStart) start(context, client, url, problem);
	else await publish(context, client, url, problem);
}

async function publish(
	context: IHookFunctions,
	client: ServiceClient,
	url: string,
	problem: Problem | undefined,
): Promise<void> {
	if (problem !== undefined) {
		const [message, description] = problem;
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const claim = claimFor(context, client, url, Date.now());
	await holderFor(client).publish(claim);
	memoryOf(context).publishedAt = claim.since;
}

function start(
	context: IHookFunctions,
	client: ServiceClient,
	url: string,
	problem: Problem | undefined,
): void {
	const claim = claimFor(context, client, url, memoryOf(context).publishedAt ?? 0);
	if (problem === undefined) {
		holderFor(client).start(claim);
		return;
	}
	// Thrown here, it would make n8n take no deliveries at all.
	claim.log(
		'error',
		`The webhook URL of the workflow "${claim.workflow}" cannot be registered after the start of n8n: ${problem.join('. ')}`,
	);
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
	// Older n8n has no such function.
	const { saveFailedExecution } = context as Partial<ITriggerFunctions>;
	showFailure.set(trigger, (error) => {
		const isShown = error instanceof NodeApiError || error instanceof NodeOperationError;
		if (isShown) saveFailedExecution?.call(context, error);
	});
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

function isLoopback({ hostname }: URL): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
}

/** Why the service can never reach a URL, before anything is registered. */
function reachProblem(url: string, baseUrl: string): Problem | undefined {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
		return [
			'Webhook URL is not an http or https URL',
			`Set the environment variable N8N_WEBHOOK_URL of n8n to a URL that starts with http:// or https://. This is ${url}`,
		];
	}
	if (!isLoopback(parsed) || isLoopback(new URL(baseUrl))) return undefined;
	return [
		'Webhook URL is on this machine: the service cannot reach it',
		`The URL starts with ${parsed.origin}. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL before n8n 2) to the address under which it is reached from the internet, and restart n8n. To try it from your own machine, open a tunnel and set the variable to the address of the tunnel.`,
	];
}

function holderFor({ settings }: ServiceClient) {
	return webhookHolder(settings.baseUrl, settings.clientId);
}

function claimFor(
	context: IHookFunctions,
	client: ServiceClient,
	url: string,
	since: number,
): Claim {
	const { id: workflowId, name: workflow = '' } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	const trigger = triggerKey(context);
	const holder = holderFor(client);
	return {
		...{ trigger, workflow, since },
		url: withToken(url, client.settings.webhookToken),
		async tell(told) {
			// Read again: after months, the credential may have another key.
			const current = await connect(context, LABELS);
			if (holderFor(current) !== holder) {
				throw new NodeOperationError(
					context.getNode(),
					'The credential points to another service or client now',
				);
			}
			await sendWebhookUrl(current, told);
		},
		log(level, message) {
			context.logger[level](message, { workflowId, nodeName });
		},
		showFailure(error) {
			showFailure.get(trigger)?.(error);
		},
	};
}
