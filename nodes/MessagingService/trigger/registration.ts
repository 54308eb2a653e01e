import type { IHookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { tokenDigest, withToken } from '../transport/webhookToken';
import {
	claimOf,
	dropClaim,
	inTurn,
	isHeldBy,
	latestTime,
	noteRegistered,
	noteStart,
	noteUnknown,
	noteWanted,
	setClaim,
	timerOf,
	urlElsewhere,
	wantedHolder,
	type Claim,
} from '../transport/webhookHolder';
import { noteToken } from './acceptedTokens';
import { warnOfWaiting } from './lastNode';
import { endListening, startListening } from './listening';
import { memoryOf } from './registrationMemory';
import { nextRenewal, RETRY_MILLISECONDS } from './renewalTimes';
import { assertSettings, registrationOptions, type RegistrationOptions } from './settings';
import { isPassing, messageOf, tellService } from './tellService';
import { readCredential, triggerKey, type TriggerCredential } from './triggerCredential';
import { untilDone } from './untilDone';
import { assertReachable, ownUrl, withOwnToken } from './webhookUrls';

/**
 * How long unpublishing waits before the URL goes: n8n calls `delete` before `create` when a changed
 * workflow is published, and there is to be no moment without a URL then.
 */
const LEAVE_MILLISECONDS = 3000;

/** How long other triggers have to say after a start that they were published later. */
const START_MILLISECONDS = 4000;

/** The trigger's workflow is published, started again by n8n, or listened to in the editor. */
export async function register(context: IHookFunctions): Promise<void> {
	if (context.getMode() === 'manual') {
		// First of all: if anything below fails, `delete` must not take this for the published trigger.
		memoryOf(context).isListening = true;
		assertSettings(context);
		await startListening(context);
		return;
	}
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	if (!isStart) {
		assertSettings(context);
		await publish(context);
		return;
	}
	try {
		assertSettings(context);
		await start(context);
	} catch (error) {
		// Thrown here, it would make n8n take no deliveries at all.
		context.logger.error(
			`The webhook URL of the workflow "${context.getWorkflow().name ?? ''}" cannot be registered after the start of n8n: ${messageOf(error)}`,
			{ workflowId: context.getWorkflow().id, nodeName: context.getNode().name },
		);
	}
}

/** The trigger's workflow is unpublished, published in another version, or listening has ended. */
export async function unregister(context: IHookFunctions): Promise<void> {
	const memory = memoryOf(context);
	if (memory.isListening === true) {
		delete memory.isListening;
		await endListening(context);
		return;
	}
	delete memory.publishedAt;
	delete memory.tokenDigest;
	const claim = claimOf(triggerKey(context));
	if (claim === undefined || claim.url !== ownUrl(context)) return;
	// Not awaited: n8n goes on, perhaps with the next version of this trigger.
	void leave(context, claim, registrationOptions(context));
}

function asProblem(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

function claimFor(
	context: IHookFunctions,
	{ account, token }: TriggerCredential,
	url: string,
): Omit<Claim, 'since' | 'dueAt'> {
	const workflow = context.getWorkflow().name ?? '';
	return { trigger: triggerKey(context), workflow, account, url, token };
}

/** Registers the URL; a workflow published before keeps going where the service is away for a moment. */
async function publish(context: IHookFunctions): Promise<void> {
	const memory = memoryOf(context);
	const options = registrationOptions(context);
	const trigger = triggerKey(context);
	delete memory.isListening;
	warnOfWaiting(context);
	const before = claimOf(trigger);
	const isPublished = before !== undefined && context.getActivationMode() !== 'activate';
	if (options.registration === 'manual') {
		if (before !== undefined) leaveToUser(before);
		return;
	}
	const url = ownUrl(context);
	const credential = await readCredential(context);
	assertReachable(context, url, 'Webhook URL', credential.baseUrl);
	const { account, token } = credential;
	noteToken(trigger, token);
	await inTurn(account, async () => {
		const loser = wantedHolder(account);
		const claim = { ...claimFor(context, credential, url), since: latestTime(), dueAt: Infinity };
		const problem = await tellService(context, withToken(url, token)).catch(asProblem);
		if (problem === undefined) {
			claim.dueAt = nextRenewal(options.renewEveryHours);
			noteRegistered(account, { trigger });
		} else {
			if (!isPublished || !isPassing(problem)) {
				// The service may have registered the URL all the same.
				if (loser !== undefined && isPassing(problem)) {
					loser.dueAt = Date.now() + RETRY_MILLISECONDS;
				}
				throw problem;
			}
			noteWanted(account);
			claim.dueAt = Date.now() + RETRY_MILLISECONDS;
			context.logger.warn(
				`The webhook URL of the workflow "${claim.workflow}" could not be registered, and n8n will try again: ${messageOf(problem)}`,
				{ workflowId: context.getWorkflow().id },
			);
		}
		setClaim(claim);
		memory.publishedAt = claim.since;
		if (token === undefined) delete memory.tokenDigest;
		else memory.tokenDigest = tokenDigest(token);
		if (loser !== undefined && loser.trigger !== trigger) {
			context.logger.warn(
				`The workflow "${loser.workflow}" receives no more events: the service keeps one webhook URL per client, and the workflow "${claim.workflow}" was published later.`,
				{ workflowId: context.getWorkflow().id },
			);
		}
	});
}

/** Claims the URL with the time of publishing; the timer registers it once all others have claimed. */
async function start(context: IHookFunctions): Promise<void> {
	const { registration, renewEveryHours } = registrationOptions(context);
	if (registration === 'manual') return;
	const memory = memoryOf(context);
	const url = ownUrl(context);
	const credential = await readCredential(context);
	assertReachable(context, url, 'Webhook URL', credential.baseUrl);
	const { account, token } = credential;
	noteToken(triggerKey(context), token);
	noteStart(account, triggerKey(context));
	memory.publishedAt ??= 0;
	if (token === undefined) delete memory.tokenDigest;
	else memory.tokenDigest = tokenDigest(token);
	const dueAt = renewEveryHours === 0 ? Infinity : Date.now() + START_MILLISECONDS;
	setClaim({ ...claimFor(context, credential, url), since: memory.publishedAt, dueAt });
}

/** From now on the user says what is registered: what is, stays. */
function leaveToUser(claim: Claim): void {
	dropClaim(claim);
	if (isHeldBy(claim.account, claim.trigger)) noteRegistered(claim.account, { url: claim.url });
}

/** Gives the URL up, unless the trigger is published again in a moment. */
async function leave(
	context: IHookFunctions,
	claim: Claim,
	options: RegistrationOptions,
): Promise<void> {
	const { account, trigger } = claim;
	await sleep(LEAVE_MILLISECONDS);
	const problem = await untilDone(async () => {
		await inTurn(account, async () => {
			const successor = claimOf(trigger);
			if (successor !== undefined && successor !== claim && successor.account === account) return;
			dropClaim(claim);
			await giveUp(context, claim, options);
		});
	});
	if (problem === undefined) return;
	context.logger.error(
		`The webhook URL of the workflow "${claim.workflow}" is still registered, although it is not published: ${messageOf(problem)} Remove it with the node Messaging Service, Webhook: Remove.`,
		{ workflowId: context.getWorkflow().id },
	);
}

async function giveUp(
	context: IHookFunctions,
	{ account, trigger, url, workflow }: Claim,
	{ whenUnpublished, replacementUrl }: RegistrationOptions,
): Promise<void> {
	if (!isHeldBy(account, trigger)) {
		if (wantedHolder(account) !== undefined || urlElsewhere(account) !== undefined) return;
		context.logger.warn(
			`The workflow "${workflow}" was unpublished, and the registered webhook URL was left alone: n8n does not know whether it is the one of this workflow. If it is, remove it with the node Messaging Service, Webhook: Remove.`,
			{ workflowId: context.getWorkflow().id },
		);
		return;
	}
	if (whenUnpublished === 'keep') {
		noteRegistered(account, { url });
		return;
	}
	const next = wantedHolder(account);
	const register = next === undefined ? undefined : timerOf(next.trigger);
	if (whenUnpublished === 'remove' && next !== undefined && register !== undefined) {
		await register();
		return;
	}
	const credential = await readCredential(context);
	if (credential.account !== account) {
		// A call would change the URL of the other one.
		noteUnknown(account);
		context.logger.warn(
			`The webhook URL of the workflow "${workflow}" stays registered at the former service or client: the credential points to another one now.`,
			{ workflowId: context.getWorkflow().id },
		);
		return;
	}
	const replacement =
		whenUnpublished === 'replace' ? withOwnToken(replacementUrl, url, credential) : '';
	await tellService(context, replacement);
	noteRegistered(account, { url: replacement });
}
