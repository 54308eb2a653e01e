import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';
import { SETTLE_MS, type ClaimStore } from './claimStore';

/**
 * What a retry may do with a request of its run: `ours`: send it; `accepted`: another retry has
 * sent it; `possiblySent`: another retry is sending it, or was interrupted while it did.
 */
export type Claim = 'ours' | 'accepted' | 'possiblySent';

/** More keys than a claim asks for are claimed with it, for each claim takes `SETTLE_MS`. */
const MOST_CLAIMED_AHEAD = 100;
const MOST_ATTEMPTS = 3;

/**
 * What the retries of one run have sent. n8n starts every retry with the data of the execution
 * that it retries, so one retry does not see what another has sent: a store tells them. Each
 * request is claimed before it is sent. After a crash it stays claimed: never sent twice.
 *
 * Two texts stand for a key: `claimed`, and `unsettled` until the service has accepted it. Asking
 * the store adds what is asked for, so the safe answer ("possibly sent") is the one that is added.
 */
export class RetryClaims {
	private readonly store: ClaimStore;
	private readonly run: string;
	private readonly following: (key: string) => string[];
	private readonly claims = new Map<string, Claim>();
	/** Texts to remove with the next change of the store. */
	private readonly outdated = new Set<string>();
	private waiting = new Set<string>();
	private claiming: Promise<void> | undefined;

	/**
	 * @param run identity of the run, equal for all its retries
	 * @param following keys that will be asked for after one, in this order
	 */
	constructor(store: ClaimStore, run: string, following: (key: string) => string[]) {
		this.store = store;
		this.run = run;
		this.following = following;
	}

	/** Claims a request. @throws when the store cannot be used: then nothing may be sent */
	async claim(key: string): Promise<Claim> {
		for (;;) {
			const known = this.claims.get(key);
			if (known !== undefined) return known;
			this.waiting.add(key);
			this.claiming ??= this.claimWaiting().finally(() => {
				this.claiming = undefined;
			});
			await this.claiming;
		}
	}

	/** The service has accepted a request that was claimed. */
	accepted(key: string): void {
		this.claims.set(key, 'accepted');
		this.outdated.add(this.unsettled(key));
	}

	/** The outcome of a request that was claimed is unknown: it stays claimed. */
	possiblySent(key: string): void {
		this.claims.set(key, 'possiblySent');
	}

	/**
	 * The retry is over: what was not sent is free again.
	 * @param isComplete whether every request of the run was accepted: one text is kept then
	 */
	async finish(isComplete: boolean): Promise<void> {
		if (this.claims.size === 0) return;
		for (const [key, claim] of this.claims) {
			if (claim === 'ours' || isComplete) this.forget(key);
		}
		if (isComplete) this.outdated.add(this.unsettled(WHOLE_RUN));
		await this.removeOutdated();
	}

	private async claimWaiting(): Promise<void> {
		// Calls that begin in the same moment are claimed together.
		await Promise.resolve();
		const asked = [...this.waiting];
		this.waiting = new Set();
		let keys = [...new Set([...asked, ...asked.slice(-1).flatMap(this.following)])]
			.filter((key) => !this.claims.has(key))
			.slice(0, Math.max(asked.length, MOST_CLAIMED_AHEAD));
		let problem: unknown;
		for (let attempt = 1; keys.length > 0 && attempt <= MOST_ATTEMPTS; attempt++) {
			try {
				keys = await this.tryToClaim(keys);
				problem = undefined;
			} catch (error) {
				// Two retries that both store the first text of the node: one of them fails.
				problem = error;
			}
		}
		if (keys.length === 0) return;
		throw problem ?? new Error('Other retries of this execution are running');
	}

	/** @returns the keys that are still open, because another process wrote at the same time */
	private async tryToClaim(keys: readonly string[]): Promise<string[]> {
		await this.removeOutdated();
		const token = `${this.run}/token/${randomUUID()}`;
		this.outdated.add(token);
		const asked = [WHOLE_RUN, ...keys];
		const texts = asked.flatMap((key) => [this.claimed(key), this.unsettled(key)]);
		const before = await this.store.add([...texts, token]);
		const isSettled = (key: string) =>
			before.has(this.claimed(key)) && !before.has(this.unsettled(key));
		if (isSettled(WHOLE_RUN)) {
			this.outdated.add(this.unsettled(WHOLE_RUN));
			for (const key of keys) {
				this.forget(key);
				this.claims.set(key, 'accepted');
			}
			return [];
		}
		await sleep(SETTLE_MS);
		const isHeld = (await this.store.add([token])).has(token);
		const open: string[] = [];
		for (const key of keys) {
			if (isSettled(key)) this.accepted(key);
			else if (before.has(this.claimed(key))) this.claims.set(key, 'possiblySent');
			else if (isHeld) this.claims.set(key, 'ours');
			else open.push(key);
		}
		return open;
	}

	private async removeOutdated(): Promise<void> {
		const texts = [...this.outdated];
		await this.store.remove(texts);
		for (const text of texts) this.outdated.delete(text);
	}

	private forget(key: string) {
		this.outdated.add(this.claimed(key)).add(this.unsettled(key));
	}

	private readonly claimed = (key: string) => `${this.run}/claimed/${key}`;
	private readonly unsettled = (key: string) => `${this.run}/unsettled/${key}`;
}

/** Stands for all requests of a run; no key of a request is like it. */
const WHOLE_RUN = 'all';
