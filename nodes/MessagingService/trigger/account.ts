import { sleep } from 'n8n-workflow';
import { Failure } from '../failure';
import { messageOf } from '../texts';
import { Sequence } from '../transport/sequence';
import { withToken } from '../transport/webhookToken';
import { releaseMemory } from './memory';
import type { PublishedTrigger } from './published';

/** How long n8n takes to start its workflows. */
const START_MS = 4000;

/**
 * How long an unpublished trigger keeps the URL: n8n unpublishes for a moment whenever it publishes
 * a changed workflow, and the service must have a URL in that moment.
 */
const LEAVE_MS = 3000;

/** Wait before another try; it doubles with every failure. */
const RETRY_MS = 5000;
const MAX_RETRY_MS = 300_000;

/** After so many failures (about ten minutes), the URL of the last trigger stays registered. */
const FAILURES_TO_LEAVE = 8;

/** After so many failures (20 seconds), n8n is not just starting: the list of executions says so. */
const FAILURES_TO_TELL = 3;

/** The one key of the calls to an account. */
const CALL = 'call';

/**
 * The published triggers of an account (service and client) in this n8n. Those that `sharesEvents`
 * tells hand on events to each other, and the URL of the one published first is registered.
 *
 * | what happens to a trigger           | what is registered then                                  |
 * |-------------------------------------|----------------------------------------------------------|
 * | it is published (`publish`)         | the URL of the first one, once more                      |
 * | n8n has started (`start`)           | the same, after 4 s                                      |
 * | it is unpublished (`leave`)         | after 3 s, if its URL was: that of the next one, or none |
 * | another main process leads (`stop`) | what was: from now on, this process does not know        |
 *
 * What this process has not registered, it does not remove.
 */
export class Account {
	private readonly triggers = new Map<string, PublishedTrigger>();

	/** Whose URL this process has registered last; undefined where it does not know. */
	private registered: PublishedTrigger | undefined;

	/** Calls are made one after the other, so that the last one decides what is registered. */
	private readonly calls = new Sequence();

	/** How often `settle` was called: only the last one goes on. */
	private settling = 0;

	/** The trigger whose URL should be registered. */
	private get first(): PublishedTrigger | undefined {
		return [...this.triggers.values()]
			.filter(({ isManual }) => !isManual)
			.sort((one, other) => one.self.publishedAt - other.self.publishedAt)[0];
	}

	get(key: string): PublishedTrigger | undefined {
		return this.triggers.get(key);
	}

	/**
	 * A trigger is being published.
	 * @throws Failure; then it is not
	 */
	async publish(trigger: PublishedTrigger): Promise<void> {
		const isSettled = await this.calls.run(CALL, async () => {
			const before = this.triggers.get(trigger.key);
			this.adoptToken(trigger);
			this.assertSameSecret(trigger);
			this.triggers.set(trigger.key, trigger);
			if (trigger.isManual) trigger.noteToken();
			else {
				await this.register(trigger).catch((error: unknown) => {
					if (before === undefined) this.drop(trigger);
					else this.triggers.set(trigger.key, before);
					const isUnchanged = Failure.of(error).sent === 'no';
					if (!isUnchanged && this.first !== undefined && this.first !== before) {
						this.registered = undefined;
						void this.settle(RETRY_MS);
					}
					throw error;
				});
			}
			// What a trigger that becomes manual has registered is the user's.
			if (this.registered === before) this.registered = undefined;
			// When it was unpublished, nobody told it of the others any more.
			if (before === undefined) trigger.forgetOthers();
			this.introduce(trigger, before);
			return await this.tryToSettle(1);
		});
		if (!isSettled) void this.settle(RETRY_MS);
	}

	/** n8n has started a trigger that was published before. */
	start(trigger: PublishedTrigger): void {
		const before = this.triggers.get(trigger.key);
		this.adoptToken(trigger);
		if (trigger.isManual) trigger.noteToken();
		this.triggers.set(trigger.key, trigger);
		this.introduce(trigger, before);
		void this.settle(START_MS).then(() => {
			const { first = trigger } = this;
			const isThere = this.triggers.get(trigger.key) === trigger;
			if (!isThere || trigger.isManual || sharesEvents(trigger, first)) return;
			trigger.log(
				'error',
				`The workflow "${trigger.self.workflow}" gets no events: the workflow "${first.self.workflow}" gets those of the account, with another Webhook Secret.`,
			);
		});
	}

	/** A trigger is unpublished, if it is not published again now. */
	async leave(trigger: PublishedTrigger): Promise<void> {
		trigger.isUnpublished = true;
		await sleep(LEAVE_MS);
		if (!this.drop(trigger)) return;
		for (const other of this.triggers.values()) other.know(trigger.self, false);
		if (this.registered === undefined && this.first === undefined && !trigger.isManual) {
			trigger.log(
				'warn',
				`The workflow "${trigger.self.workflow}" was unpublished, and the registered webhook URL was left alone: n8n does not know whether it is the one of this workflow. If it is, remove it with the node Messaging Service, Webhook: Remove.`,
			);
		}
		await this.settle(0);
	}

	/** n8n has stopped a trigger: if it was not unpublished, another main process has taken it over. */
	async stop(trigger: PublishedTrigger): Promise<void> {
		await sleep(2 * LEAVE_MS);
		if (this.drop(trigger) && this.registered === trigger) this.registered = undefined;
	}

	/** Forgets a trigger; false when it was published again meanwhile. */
	private drop(trigger: PublishedTrigger): boolean {
		if (this.triggers.get(trigger.key) !== trigger) return false;
		releaseMemory(trigger.key);
		return this.triggers.delete(trigger.key);
	}

	/** The Webhook Secret of a credential may have changed since other triggers with it were published. */
	private adoptToken({ credentialId, token }: PublishedTrigger): void {
		for (const other of this.triggers.values()) {
			if (other.credentialId === credentialId) other.token = token;
		}
	}

	/** @throws Failure that names the triggers with another Webhook Secret: they do not get its events */
	private assertSameSecret(trigger: PublishedTrigger): void {
		const others = [...this.triggers.values()].filter(
			(other) => other.key !== trigger.key && !other.isManual && !sharesEvents(other, trigger),
		);
		if (trigger.isManual || others.length === 0) return;
		const names = others.map(({ self }) => `"${self.workflow}"`).join(', ');
		if (others.every(({ token }) => token === undefined && trigger.token === undefined)) {
			throw Failure.ofField(
				'Webhook Secret',
				`is needed beside ${names}`,
				`${names} gets the events of this account with another credential. Enter the same Webhook Secret in both credentials and publish both workflows, or use the same credential.`,
			);
		}
		throw Failure.ofField(
			'Webhook Secret',
			`is not that of ${names}`,
			`All workflows that get the events of an account must have the same Webhook Secret. Use that of ${names} here, or unpublish ${names} first.`,
		);
	}

	/** Triggers that share events hand them on to each other. */
	private introduce(trigger: PublishedTrigger, before: PublishedTrigger | undefined): void {
		for (const other of this.triggers.values()) {
			if (other === trigger) continue;
			const isSame = sharesEvents(other, trigger);
			if (before !== undefined) other.know(before.self, false);
			other.know(trigger.self, isSame);
			trigger.know(other.self, isSame);
		}
		trigger.isBeingStored();
	}

	/** Registers the URL of the first trigger, by the credential of one that is there. */
	private async register(by: PublishedTrigger): Promise<void> {
		const { first = by } = this;
		await by.tell(withToken(first.url, first.token));
		this.registered = first;
		// Until now, the URL had the token that they had noted before.
		for (const each of this.triggers.values()) each.noteToken();
	}

	/** Registers the URL that should be, or removes the last one, and stores memories, until it is done. */
	private async settle(pause: number): Promise<void> {
		const own = ++this.settling;
		let wait = pause;
		for (let tries = 1; ; tries++) {
			if (wait > 0) await sleep(wait);
			if (own !== this.settling) return;
			if (await this.calls.run(CALL, async () => await this.tryToSettle(tries))) return;
			wait = waitAfter(tries);
		}
	}

	/** One try of `settle`: whether it is done, or given up. */
	private async tryToSettle(tries: number): Promise<boolean> {
		const isRegistered = await this.tryToRegister(tries);
		const all = [...this.triggers.values()].filter(({ isUnpublished }) => !isUnpublished);
		const stored = await Promise.all(all.map(async (each) => await tryToStore(each, tries)));
		return isRegistered && !stored.includes(false);
	}

	private async tryToRegister(tries: number): Promise<boolean> {
		const { first, registered } = this;
		const trigger = first ?? registered;
		if (trigger === undefined || registered === first) return true;
		const isRemoval = first === undefined;
		try {
			if (isRemoval) await trigger.tell('');
			else await this.register(trigger);
			if (isRemoval) this.registered = undefined;
			return true;
		} catch (error) {
			const isGivenUp = isRemoval && tries === FAILURES_TO_LEAVE;
			if (isGivenUp) this.registered = undefined;
			trigger.log(
				isGivenUp || tries === FAILURES_TO_TELL ? 'error' : 'warn',
				`The webhook URL of the workflow "${trigger.self.workflow}" could not be ${isRemoval ? 'removed' : 'registered'}: ${messageOf(error).replace(/\.$/, '')}. ${isGivenUp ? 'Remove it with the node Messaging Service, Webhook: Remove.' : nextTry(tries)}`,
			);
			return isGivenUp;
		}
	}
}

/**
 * Whether two triggers get each other's events. The address of a service and a Client ID are no
 * secrets: without a Webhook Secret, only the same credential shows that both belong to the account.
 */
function sharesEvents(one: PublishedTrigger, other: PublishedTrigger): boolean {
	if (one.token !== other.token) return false;
	return one.token !== undefined || one.credentialId === other.credentialId;
}

async function tryToStore(trigger: PublishedTrigger, tries: number): Promise<boolean> {
	try {
		await trigger.store();
		return true;
	} catch (error) {
		trigger.log(
			tries === FAILURES_TO_TELL ? 'error' : 'warn',
			`n8n could not tell all its processes which workflows get events, so some may get none: ${messageOf(error)}. ${nextTry(tries)}`,
		);
		return false;
	}
}

function waitAfter(tries: number): number {
	return Math.min(RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS);
}

function nextTry(tries: number): string {
	return `The next try is in ${String(waitAfter(tries) / 1000)} seconds.`;
}

const accounts = new Map<string, Account>();

/** The account to which a trigger belongs. */
export function accountOf({ client }: Pick<PublishedTrigger, 'client'>): Account {
	const account = accounts.get(client) ?? new Account();
	accounts.set(client, account);
	return account;
}
