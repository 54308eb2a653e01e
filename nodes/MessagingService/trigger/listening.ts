import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { withToken } from '../transport/webhookToken';
import {
	endRedirect,
	inTurn,
	noteRegistered,
	redirectOf,
	startRedirect,
	timerOf,
	urlElsewhere,
	wantedHolder,
} from '../transport/webhookHolder';
import { announceSample } from './samples';
import { registrationOptions } from './settings';
import { messageOf, tellService } from './tellService';
import { readCredential, triggerKey, type TriggerCredential } from './triggerCredential';
import { untilDone } from './untilDone';
import { assertReachable, ownUrl, withOwnToken } from './webhookUrls';

/** Listening ends after two minutes; should n8n die before it can say so, the redirect ends with this. */
const MAX_LISTENING_MILLISECONDS = 600_000;

/** n8n needs a moment after the hook until it takes deliveries to the test URL. */
const SAMPLE_PAUSE = 500;

/** The editor starts to listen: nothing, a sample event, or the live events come to it. */
export async function startListening(context: IHookFunctions): Promise<void> {
	const { registration, whileListening } = registrationOptions(context);
	const mode =
		whileListening === 'redirect' && registration === 'manual' ? 'leave' : whileListening;
	if (mode === 'sample') void deliverSample(context, ownUrl(context), announceSample());
	if (mode === 'redirect') await redirect(context);
}

/** Delivers the request for a sample to the test URL. The service has no part in it. */
async function deliverSample(context: IHookFunctions, url: string, body: object): Promise<void> {
	await sleep(SAMPLE_PAUSE);
	try {
		await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout: 10_000 });
	} catch (error) {
		context.logger.warn(
			`n8n cannot reach its own test URL ${url}, so there is no sample event; it still listens for events: ${messageOf(error)}`,
			{ workflowId: context.getWorkflow().id },
		);
	}
}

async function redirect(context: IHookFunctions): Promise<void> {
	const url = ownUrl(context);
	const credential = await readCredential(context);
	const { account, baseUrl, token } = credential;
	assertReachable(context, url, 'Webhook URL', baseUrl);
	await inTurn(account, async () => {
		const urlToRestore = knownUrl(context, url, credential);
		const until = Date.now() + MAX_LISTENING_MILLISECONDS;
		// Before the call: should it fail, the service may have registered the URL all the same.
		startRedirect(account, { trigger: triggerKey(context), until, urlToRestore });
		await tellService(context, withToken(url, token));
	});
}

/** What is restored where no published trigger has the URL. Refuses where that is not known. */
function knownUrl(context: IHookFunctions, url: string, credential: TriggerCredential): string {
	const { urlToRestore } = registrationOptions(context);
	const { account, baseUrl } = credential;
	if (wantedHolder(account) !== undefined || urlElsewhere(account) !== undefined) return '';
	if (urlToRestore === '') {
		throw new NodeOperationError(
			context.getNode(),
			'n8n does not know which webhook URL is registered now',
			{
				description:
					'Live events cannot be redirected, because n8n could not restore that URL afterwards. Set URL to Restore in the registration options, or set While Listening to Show a Sample Event. The registration was left alone.',
			},
		);
	}
	assertReachable(context, urlToRestore, 'URL to Restore', baseUrl);
	return withOwnToken(urlToRestore, url, credential);
}

/**
 * Restores the URL of live events. What is thrown here would leave n8n's test listener behind, and
 * nobody would see it: so a failure is logged, and further tries go on without n8n waiting for them.
 */
export async function endListening(context: IHookFunctions): Promise<void> {
	const { registration, whileListening } = registrationOptions(context);
	if (registration === 'manual' || whileListening !== 'redirect') return;
	const { account } = await readCredential(context);
	const trigger = triggerKey(context);
	const call = async () =>
		await inTurn(account, async () => {
			await restore(context, account, trigger);
		});
	try {
		await call();
	} catch (error) {
		context.logger.warn(
			`Listening for a test event has ended, but the webhook URL for live events could not be restored yet: ${messageOf(error)} n8n tries again.`,
			{ workflowId: context.getWorkflow().id },
		);
		void goOnRestoring(context, account, call);
	}
}

async function goOnRestoring(
	context: IHookFunctions,
	account: string,
	call: () => Promise<void>,
): Promise<void> {
	const problem = await untilDone(call);
	if (problem === undefined) return;
	endRedirect(account);
	context.logger.error(
		`Listening for a test event has ended, but the webhook URL for live events could not be restored: ${messageOf(problem)} Run the node Messaging Service with Webhook: Set, unless a published trigger has the URL: that one tries again.`,
		{ workflowId: context.getWorkflow().id, nodeName: context.getNode().name },
	);
}

/** Restores the URL, unless something else was registered or redirected since. */
async function restore(context: IHookFunctions, account: string, trigger: string): Promise<void> {
	const current = redirectOf(account);
	if (current?.trigger !== trigger) return;
	const holder = wantedHolder(account);
	const register = holder === undefined ? undefined : timerOf(holder.trigger);
	if (register !== undefined) {
		await register();
		return;
	}
	const url = urlElsewhere(account) ?? current.urlToRestore;
	await tellService(context, url);
	noteRegistered(account, { url });
}
