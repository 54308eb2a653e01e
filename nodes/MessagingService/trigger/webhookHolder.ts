import { sleep } from 'n8n-workflow';
import { messageOf } from '../texts';
import { Failure } from '../failure';
import { Sequence } from '../transport/sequence';
import { clientKeyOf, type ServiceSettings } from '../transport/settings';

/**
 * Who holds the one webhook URL of an account (service and client), as far as this n8n process
 * knows: the service cannot be asked (interface, "Webhook registration"). Of the published triggers,
 * the one published last should hold it.
 *
 * | what happens to a trigger           | its claim | what is registered then                          |
 * |-------------------------------------|-----------|--------------------------------------------------|
 * | it is published (`publish`)         | made last | its URL                                          |
 * | that fails, perhaps after all       | none      | after a while, the holder's URL again            |
 * | n8n has started (`start`)           | made      | after 4 s, the URL of the one published last     |
 * | it is unpublished (`leave`)         | ends      | after 3 s, if its URL was: the URL of the one    |
 * |                                     |           | published before, or none                        |
 * | it is published again within 3 s    | made last | its new URL, without a moment in between         |
 * | its Registration becomes Manual,    | ends      | what was: from now on, this process does not     |
 * | or another main process takes over  |           | know (`release`, `stop`)                         |
 *
 * What this process has not registered, it does not remove. A user who registers a URL by hand is
 * not noticed: Registration has Manual for that.
 */

/** A published trigger that registers its URL itself. */
export interface Claim {
	/** The trigger node of its workflow. */
	readonly trigger: string;
	/** Name of the workflow, for messages. */
	readonly workflow: string;
	/** Its production URL as it is registered, with the token. */
	readonly url: string;
	/** When it was published, in milliseconds: the trigger published last holds the URL. */
	readonly since: number;
	/** Registers a URL with the service; empty removes the one that is registered. */
	tell(url: string): Promise<void>;
	/** Writes into n8n's log. */
	log(level: 'warn' | 'error', message: string): void;
}

/** How long other triggers have, after a start of n8n, to say that they were published later. */
const START_MS = 4000;

/**
 * How long an unpublished trigger keeps the URL: n8n unpublishes for a moment whenever it publishes
 * a changed workflow, and the service must have a URL in that moment.
 */
const LEAVE_MS = 3000;

/** Wait before another try to register a URL; it doubles with every failure. */
const RETRY_MS = 5000;
const MAX_RETRY_MS = 300_000;

/** The one key of the calls to an account. */
const TELL = 'tell';

/** After so many failures (about ten minutes), the URL of an unpublished trigger stays registered. */
const FAILURES_TO_LEAVE = 8;

/** Who holds the URL of one account. */
export class WebhookHolder {
	private readonly claims = new Map<string, Claim>();

	/** Whose URL this process has registered last; undefined where it does not know what is registered. */
	private registered: Claim | undefined;

	/** Calls are made one after the other, so that the last one decides what is registered. */
	private readonly calls = new Sequence();

	/** How often `settle` was called: only the last one goes on. */
	private settling = 0;

	/** The trigger that should have the URL. */
	private get holder(): Claim | undefined {
		return [...this.claims.values()].reduce<Claim | undefined>(
			(last, claim) => (last === undefined || claim.since >= last.since ? claim : last),
			undefined,
		);
	}

	/**
	 * Registers the URL of a trigger that is being published.
	 * @throws what `tell` throws; then the trigger has no claim
	 */
	async publish(claim: Claim): Promise<void> {
		await this.calls.run(TELL, async () => {
			const loser = this.holder;
			await claim.tell(claim.url).catch((error: unknown) => {
				const isUnchanged = error instanceof Failure && error.sent === 'no';
				// The service may have registered the URL: the loser registers its own again.
				if (!isUnchanged && loser !== undefined && loser.trigger !== claim.trigger) {
					this.registered = undefined;
					void this.settle(RETRY_MS);
				}
				throw error;
			});
			this.claims.set(claim.trigger, claim);
			this.registered = claim;
			if (loser === undefined || loser.trigger === claim.trigger) return;
			claim.log(
				'warn',
				`The workflow "${loser.workflow}" receives no more events: the service keeps one webhook URL per account, and the workflow "${claim.workflow}" was published later.`,
			);
		});
	}

	/** Registers the URL of a trigger that n8n has started, unless another one was published later. */
	start(claim: Claim): void {
		this.claims.set(claim.trigger, claim);
		void this.settle(START_MS);
	}

	/** Hands the URL of an unpublished trigger on, or removes it, if it is not published again now. */
	async leave(claim: Claim): Promise<void> {
		await sleep(LEAVE_MS);
		if (!this.drop(claim)) return;
		if (this.registered === claim) {
			await this.settle(0);
		} else if (this.registered === undefined && this.holder === undefined) {
			claim.log(
				'warn',
				`The workflow "${claim.workflow}" was unpublished, and the registered webhook URL was left alone: n8n does not know whether it is the one of this workflow. If it is, remove it with the node Messaging Service, Webhook: Remove.`,
			);
		}
	}

	/** n8n has stopped a trigger: if it was not unpublished, another main process has taken it over. */
	async stop(claim: Claim): Promise<void> {
		await sleep(2 * LEAVE_MS);
		this.release(claim);
	}

	/** From now on somebody else registers the URL of a trigger. */
	release(claim: Claim): void {
		if (this.drop(claim) && this.registered === claim) this.registered = undefined;
	}

	claimOf(trigger: string): Claim | undefined {
		return this.claims.get(trigger);
	}

	/** Forgets a claim; false when the trigger has another one by now. */
	private drop(claim: Claim): boolean {
		if (this.claims.get(claim.trigger) !== claim) return false;
		this.claims.delete(claim.trigger);
		return true;
	}

	/** Registers the URL of the holder, or removes that of a trigger that has left, until it is done. */
	private async settle(pause: number): Promise<void> {
		const own = ++this.settling;
		let wait = pause;
		for (let failures = 1; ; failures++) {
			if (wait > 0) await sleep(wait);
			if (own !== this.settling) return;
			wait = Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
			const next = `The next try is in ${String(wait / 1000)} seconds.`;
			if (await this.calls.run(TELL, async () => await this.isSettled(failures, next))) return;
		}
	}

	/** One try of `settle`: whether it is done, or given up. */
	private async isSettled(failures: number, next: string): Promise<boolean> {
		const { holder, registered } = this;
		const claim = holder ?? registered;
		if (claim === undefined || registered === holder) return true;
		const isRemoval = holder === undefined;
		try {
			await claim.tell(isRemoval ? '' : claim.url);
			this.registered = holder;
			return true;
		} catch (error) {
			const isGivenUp = isRemoval && failures === FAILURES_TO_LEAVE;
			if (isGivenUp) this.registered = undefined;
			claim.log(
				isGivenUp ? 'error' : 'warn',
				`The webhook URL of the workflow "${claim.workflow}" could not be ${isRemoval ? 'removed' : 'registered'}: ${messageOf(error).replace(/\.$/, '')}. ${isGivenUp ? 'Remove it with the node Messaging Service, Webhook: Remove.' : next}`,
			);
			return isGivenUp;
		}
	}
}

const holders = new Map<string, WebhookHolder>();

/** Who holds the URL of a service and a client. */
export function webhookHolder(settings: ServiceSettings): WebhookHolder {
	const key = clientKeyOf(settings);
	const holder = holders.get(key) ?? new WebhookHolder();
	holders.set(key, holder);
	return holder;
}

/** The claims of a trigger: one, or more for a moment where its credential was changed. */
export function claimsOf(trigger: string): { holder: WebhookHolder; claim: Claim }[] {
	return [...holders.values()].flatMap((holder) => {
		const claim = holder.claimOf(trigger);
		return claim === undefined ? [] : [{ holder, claim }];
	});
}
