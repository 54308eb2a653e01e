import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';
import { withToken } from '../transport/webhookToken';
import {
	claimOf,
	dropTimer,
	inTurn,
	isHeldBy,
	noteRegistered,
	noteUnknown,
	redirectOf,
	setTimer,
	wantedHolder,
	type Claim,
} from '../transport/webhookHolder';
import { noteToken } from './acceptedTokens';
import { nextRenewal, nextTry } from './renewalTimes';
import { assertPath, registrationOptions } from './settings';
import { messageOf, tellService } from './tellService';
import { forgetCredential, readCredential, triggerKey } from './triggerCredential';

const TICK_MILLISECONDS = 500;

/** How often the credential is read: a changed secret has to be noticed within a minute. */
const CREDENTIAL_CHECK_MILLISECONDS = 20_000;

/** Wait after a changed secret, so that webhook processors know it when the new URL is registered. */
const CHANGE_MILLISECONDS = 2000;

/** After so many failures in a row, n8n shows one in its list of executions. */
const FAILURES_TO_SHOW = 3;

/** The timer of one published trigger, as long as it is published and n8n runs. */
class Renewal {
	private readonly context: ITriggerFunctions;
	private readonly trigger: string;
	private readonly everyHours: number;
	private isOpen = true;
	private failures = 0;
	private checkAt = Date.now() + CREDENTIAL_CHECK_MILLISECONDS;

	constructor(context: ITriggerFunctions) {
		this.context = context;
		this.trigger = triggerKey(context);
		// Read now: later, n8n has no engine at hand for expressions.
		this.everyHours = registrationOptions(context).renewEveryHours;
	}

	/** Registers the URL of the claim. Throws when the service does not take it. */
	readonly register = async (): Promise<void> => {
		const claim = claimOf(this.trigger);
		if (claim === undefined) return;
		const { account, token } = await readCredential(this.context);
		if (account !== claim.account) this.move(claim, account);
		await tellService(this.context, withToken(claim.url, token));
		this.adopt(claim, token);
		this.failures = 0;
		claim.dueAt = nextRenewal(this.everyHours);
		noteRegistered(claim.account, { trigger: this.trigger });
	};

	start(): void {
		setTimer(this.trigger, this.register);
		void this.run();
	}

	stop(): void {
		this.isOpen = false;
		dropTimer(this.trigger, this.register);
	}

	private async run(): Promise<void> {
		for (;;) {
			await sleep(TICK_MILLISECONDS);
			if (!this.isOpen) return;
			const claim = claimOf(this.trigger);
			if (claim !== undefined) await this.step(claim);
		}
	}

	private async step(claim: Claim): Promise<void> {
		try {
			if (Date.now() >= this.checkAt) await this.checkCredential(claim);
			if (Date.now() >= claim.dueAt) await this.renew(claim);
		} catch (error) {
			this.failures += 1;
			claim.dueAt = nextTry(this.failures);
			this.report(error, claim);
		}
	}

	private async renew(claim: Claim): Promise<void> {
		await inTurn(claim.account, async () => {
			const isWanted = wantedHolder(claim.account) === claim;
			if (this.isOpen && isWanted && redirectOf(claim.account) === undefined) {
				await this.register();
			}
		});
	}

	/** n8n tells nobody that a credential was changed, so it is read from time to time. */
	private async checkCredential(claim: Claim): Promise<void> {
		this.checkAt = Date.now() + CREDENTIAL_CHECK_MILLISECONDS;
		const { account, token } = await readCredential(this.context);
		if (claim.token === token && claim.account === account) return;
		this.adopt(claim, token);
		if (claim.account !== account) this.move(claim, account);
		else if (this.everyHours === 0 && !isHeldBy(account, this.trigger)) return;
		claim.dueAt = Date.now() + CHANGE_MILLISECONDS;
	}

	/** The token that counts now, also for deliveries to this process. */
	private adopt(claim: Claim, token: string | undefined): void {
		if (claim.token === token) return;
		forgetCredential(this.trigger);
		noteToken(this.trigger, token);
		claim.token = token;
	}

	/** The credential points to another service or client: the URL goes there. */
	private move(claim: Claim, account: string): void {
		const left = claim.account;
		const hadUrl = isHeldBy(left, this.trigger);
		claim.account = account;
		if (!hadUrl) return;
		noteUnknown(left);
		const next = wantedHolder(left);
		if (next !== undefined) next.dueAt = Date.now();
		else {
			this.context.logger.warn(
				`The credential of the workflow "${claim.workflow}" points to another service or client now. The webhook URL is registered there; at the former one it stays registered.`,
				{ workflowId: this.context.getWorkflow().id },
			);
		}
	}

	private report(error: unknown, { workflow, dueAt }: Claim): void {
		const seconds = Math.round((dueAt - Date.now()) / 1000);
		const { logger } = this.context;
		logger.warn(
			`The webhook URL of the workflow "${workflow}" could not be registered again: ${messageOf(error)} The next try is in ${seconds} seconds.`,
			{ workflowId: this.context.getWorkflow().id, nodeName: this.context.getNode().name },
		);
		// Older n8n has no such function.
		const { saveFailedExecution } = this.context as Partial<ITriggerFunctions>;
		if (this.failures !== FAILURES_TO_SHOW || !(error instanceof NodeApiError)) return;
		saveFailedExecution?.call(this.context, error);
	}
}

/** Keeps the URL of a published trigger registered, until n8n calls the `closeFunction`. */
export function startRenewal(context: ITriggerFunctions): ITriggerResponse {
	if (context.getMode() === 'manual') return {};
	assertPath(context);
	if (registrationOptions(context).registration === 'manual') return {};
	const renewal = new Renewal(context);
	renewal.start();
	return {
		closeFunction: async () => {
			renewal.stop();
		},
	};
}
