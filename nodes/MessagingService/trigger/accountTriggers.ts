import { sleep } from 'n8n-workflow';
import { Failure } from '../failure';
import { messageOf } from '../texts';
import { Slots } from '../transport/concurrency';
import { withToken } from '../transport/webhookToken';
import { releaseMemory } from './memory';
import type { PublishedTrigger } from './published';
import { assertShares, introduce, sharesEvents } from './sharing';

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

/**
 * The published triggers of an account (service and client) in this n8n. The service keeps one URL
 * for all of them: that of the one published first, which hands each event on to the others.
 *
 * | what happens to a trigger           | what is registered then                                  |
 * |-------------------------------------|----------------------------------------------------------|
 * | it is published (`publish`)         | the URL of the first one, once more                      |
 * | n8n has started (`start`)           | the same, after 4 s                                      |
 * | it is unpublished (`leave`)         | after 3 s, if its URL was: that of the next one, or none |
 * | another main process leads (`stop`) | what was: from now on, this process does not know        |
 *
 * What the service does not take is tried again (`sync`).
 */
export class AccountTriggers {
	private readonly triggers = new Map<string, PublishedTrigger>();

	/** Whose URL this process has registered last. What it has not registered, it does not remove. */
	private registered: PublishedTrigger | undefined;

	/** Whether the service may have another URL by now: of a later call, nobody knows what it did. */
	private isDoubtful = false;

	/** Calls to the service are made one after the other, so that the last one decides. */
	private readonly calls = new Slots(1);

	/** How often `sync` was called: only the last one goes on. */
	private syncs = 0;

	get(key: string): PublishedTrigger | undefined {
		return this.triggers.get(key);
	}

	private get all(): PublishedTrigger[] {
		return [...this.triggers.values()];
	}

	/** The trigger whose URL should be registered. */
	private get first(): PublishedTrigger | undefined {
		return this.all
			.filter(({ isManual }) => !isManual)
			.sort((one, other) => one.self.publishedAt - other.self.publishedAt)[0];
	}

	/**
	 * A trigger is being published.
	 * @throws Failure; then it is not
	 */
	async publish(trigger: PublishedTrigger): Promise<void> {
		const isInSync = await this.calls.run(async () => {
			this.adoptToken(trigger);
			assertShares(trigger, this.all);
			const before = this.get(trigger.key);
			this.triggers.set(trigger.key, trigger);
			if (!trigger.isManual) await this.registerOrUndo(trigger, before);
			// What a trigger that becomes manual has registered is the user's.
			else if (this.registered === before) this.registered = undefined;
			if (trigger.isManual) trigger.noteToken();
			// While it was not published, nobody told it of the others.
			if (before === undefined) trigger.forgetOthers();
			introduce(trigger, before, this.all);
			return await this.tryToSync(1);
		});
		if (!isInSync) void this.sync(RETRY_MS);
	}

	/** n8n has started a trigger that was published before. */
	start(trigger: PublishedTrigger): void {
		this.adoptToken(trigger);
		const before = this.get(trigger.key);
		this.triggers.set(trigger.key, trigger);
		if (trigger.isManual) trigger.noteToken();
		introduce(trigger, before, this.all);
		void this.sync(START_MS).then(() => {
			const { first = trigger } = this;
			const isThere = this.get(trigger.key) === trigger;
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
		for (const other of this.all) other.forget(trigger.self);
		if (this.registered === undefined && this.first === undefined && !trigger.isManual) {
			trigger.log(
				'warn',
				`The workflow "${trigger.self.workflow}" was unpublished, and the registered webhook URL was left alone: n8n does not know whether it is the one of this workflow. If it is, remove it with the node Messaging Service, Webhook: Remove.`,
			);
		}
		await this.sync(0);
	}

	/** n8n has stopped a trigger: if it was not unpublished, another main process has taken it over. */
	async stop(trigger: PublishedTrigger): Promise<void> {
		await sleep(2 * LEAVE_MS);
		if (this.drop(trigger) && this.registered === trigger) this.registered = undefined;
	}

	/** Forgets a trigger; false when it was published again meanwhile. */
	private drop(trigger: PublishedTrigger): boolean {
		if (this.get(trigger.key) !== trigger) return false;
		releaseMemory(trigger.key);
		return this.triggers.delete(trigger.key);
	}

	/** The Webhook Secret of a credential may have changed since other triggers with it were published. */
	private adoptToken({ credentialId, token }: PublishedTrigger): void {
		for (const other of this.all) if (other.credentialId === credentialId) other.token = token;
	}

	/** @param before the trigger as it was published before, which stays where this one fails */
	private async registerOrUndo(
		trigger: PublishedTrigger,
		before: PublishedTrigger | undefined,
	): Promise<void> {
		try {
			await this.register(trigger);
		} catch (thrown) {
			const failure = Failure.of(thrown);
			if (before === undefined) this.drop(trigger);
			else this.triggers.set(trigger.key, before);
			this.isDoubtful ||= failure.sent !== 'no';
			if (this.isDoubtful && this.first !== undefined) void this.sync(RETRY_MS);
			throw failure;
		}
	}

	/** Registers the URL of the first trigger, by the credential of one that is there. */
	private async register(by: PublishedTrigger): Promise<void> {
		const { first = by } = this;
		await by.tell(withToken(first.url, first.token));
		this.registered = first;
		this.isDoubtful = false;
		// Until now, the URL had the token that they had noted before.
		for (const each of this.all) each.noteToken();
	}

	/** Has the right URL registered and all memories stored, after a pause, however often it takes. */
	private async sync(pauseMs: number): Promise<void> {
		const own = ++this.syncs;
		let wait = pauseMs;
		for (let tries = 1; ; tries++) {
			if (wait > 0) await sleep(wait);
			if (own !== this.syncs) return;
			if (await this.calls.run(async () => await this.tryToSync(tries))) return;
			wait = waitAfter(tries);
		}
	}

	/** One try of `sync`: whether it is done, or given up. */
	private async tryToSync(tries: number): Promise<boolean> {
		const isRight = await this.tryToTell(tries);
		const published = this.all.filter(({ isUnpublished }) => !isUnpublished);
		const stored = await Promise.all(published.map(async (each) => await tryToStore(each, tries)));
		return isRight && !stored.includes(false);
	}

	/** Registers the URL of the first trigger or, without one, removes the one that is registered. */
	private async tryToTell(tries: number): Promise<boolean> {
		const { first, registered } = this;
		const trigger = first ?? registered;
		if (trigger === undefined || (first === registered && !this.isDoubtful)) return true;
		try {
			if (first === undefined) await trigger.tell('');
			else await this.register(first);
			if (first === undefined) this.registered = undefined;
			return true;
		} catch (error) {
			const isGivenUp = first === undefined && tries === FAILURES_TO_LEAVE;
			if (isGivenUp) this.registered = undefined;
			const level = isGivenUp || tries === FAILURES_TO_TELL ? 'error' : 'warn';
			const action = first === undefined ? 'removed' : 'registered';
			const reason = messageOf(error).replace(/\.$/, '');
			const next = isGivenUp
				? 'Remove it with the node Messaging Service, Webhook: Remove.'
				: nextTry(tries);
			const url = `The webhook URL of the workflow "${trigger.self.workflow}"`;
			trigger.log(level, `${url} could not be ${action}: ${reason}. ${next}`);
			return isGivenUp;
		}
	}
}

/** Has n8n store what a trigger knows, for its other processes: whether that is done. */
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

const accounts = new Map<string, AccountTriggers>();

/** The account to which a trigger belongs. */
export function accountTriggersOf({ client }: Pick<PublishedTrigger, 'client'>): AccountTriggers {
	const account = accounts.get(client) ?? new AccountTriggers();
	accounts.set(client, account);
	return account;
}
