import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';
import { InputError } from '../resources/shared/inputError';
import { SETTLE_MS, type ClaimStore } from './claimStore';

/**
 * What a retry may do with a request of its run: `ours`: send it; `accepted`: another retry has
 * sent it; `possiblySent`: another retry is sending it, or was interrupted while it did.
 */
export type Claim = 'ours' | 'accepted' | 'possiblySent';

const MOST_ATTEMPTS = 3;

/** Texts that were removed from the store. */
interface Removal {
	texts: readonly string[];
	/** The one that tells whether they have come back: another process may have undone the removal. */
	probe: string;
}

/**
 * What the retries of one run have sent. n8n starts every retry with the data of the execution
 * that it retries, so one retry does not see what another has sent: a store tells them. Each
 * request is claimed before it is sent. After a crash it stays claimed: never sent twice.
 *
 * Two texts stand for a key: `claimed`, and `unsettled` until the service has accepted it. Asking
 * the store adds what is asked for, so the safe reading ("possibly sent") is the one that is added.
 * The `claimed` text of an accepted request stays for good.
 *
 * A process that writes at the same time may undo any change (`SETTLE_MS`). So a claim counts if the
 * token that was stored with it is still there after that time, and a removal if the token that was
 * removed with it is still gone.
 */
export class RetryClaims {
	private readonly store: ClaimStore;
	private readonly run: string;
	private readonly most: number;
	private readonly following: (key: string) => string[];
	private readonly claims = new Map<string, Claim>();
	/** Texts to remove with the next change of the store. All are in it: n8n searches for each. */
	private readonly outdated = new Set<string>();
	/** The token of the last claim: it is in the store, or was removed with the last removal. */
	private token = '';
	/** The last removal, as long as it may have been undone. */
	private removal: Removal | undefined;
	/** Keys that are waited for, those in groups that are claimed together. */
	private waiting: (readonly string[])[] = [];
	private claiming: Promise<void> | undefined;

	/**
	 * @param run identity of the run, equal for all its retries
	 * @param most how many keys are claimed together: each claim takes `SETTLE_MS`, but after a crash
	 *   nobody can tell those that were claimed from those that were sent
	 * @param following keys that will be asked for after one, in this order
	 */
	constructor(store: ClaimStore, run: string, most: number, following: (key: string) => string[]) {
		this.store = store;
		this.run = run;
		this.most = most;
		this.following = following;
	}

	/** Claims a request. @throws InputError when the store fails: then nothing may be sent */
	async claim(key: string): Promise<Claim> {
		const [claim] = await this.claimTogether([key]);
		return claim as Claim;
	}

	/** Claims keys of which no other retry may have some without the others. @throws InputError */
	async claimTogether(keys: readonly string[]): Promise<Claim[]> {
		for (;;) {
			const known = keys.flatMap((key) => this.claims.get(key) ?? []);
			if (known.length === keys.length) return known;
			this.waiting.push(keys);
			this.claiming ??= this.claimWaiting().finally(() => {
				this.claiming = undefined;
			});
			await this.claiming;
		}
	}

	/**
	 * Tells other retries from now on that a claim is no mere question: they see it as `accepted`. It
	 * ends with this retry, like other claims, unless something is sent.
	 */
	settle(key: string): void {
		this.outdated.add(this.unsettled(key));
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

	/** The retry is over: what it claimed and did not send is free again. */
	async finish(): Promise<void> {
		for (const [key, claim] of this.claims) {
			if (claim === 'ours') this.outdated.add(this.claimed(key)).add(this.unsettled(key));
		}
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			await this.removeOutdated();
			if (this.removal === undefined) return;
			const { probe } = this.removal;
			if (!(await this.askSettled([])).has(probe)) break;
		}
		await this.removeOutdated();
	}

	private async claimWaiting(): Promise<void> {
		// Calls that start in the same moment are claimed together.
		await Promise.resolve();
		const asked = this.waiting;
		// Those that are too many ask again.
		this.waiting = [];
		let keys = this.firstOf([
			...asked,
			...asked.slice(-1).flatMap((group) =>
				group
					.slice(-1)
					.flatMap(this.following)
					.map((key) => [key]),
			),
		]);
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
		if (keys.length > 0) throw notReserved(problem);
	}

	/** As many groups as may be claimed together, but at least one. */
	private firstOf(groups: readonly (readonly string[])[]): string[] {
		const keys = new Set<string>();
		for (const group of groups) {
			const open = group.filter((key) => !this.claims.has(key) && !keys.has(key));
			if (keys.size > 0 && keys.size + open.length > this.most) break;
			for (const key of open) keys.add(key);
		}
		return [...keys];
	}

	/** @returns the keys that are still open, because another process wrote at the same time */
	private async tryToClaim(keys: readonly string[]): Promise<string[]> {
		await this.removeOutdated();
		const token = `${this.run}/token/${randomUUID()}`;
		const texts = keys.flatMap((key) => [this.claimed(key), this.unsettled(key)]);
		const before = await this.store.add([...texts, token]);
		this.token = token;
		this.outdated.add(token);
		const isHeld = (await this.askSettled([token])).has(token);
		const open: string[] = [];
		for (const key of keys) {
			const isClaimed = before.has(this.claimed(key));
			if (isClaimed && !before.has(this.unsettled(key))) this.accepted(key);
			else if (isClaimed) this.claims.set(key, 'possiblySent');
			else if (isHeld) this.claims.set(key, 'ours');
			else open.push(key);
		}
		return open;
	}

	/** Removes what is outdated, and again what another process has brought back. */
	private async removeOutdated(): Promise<void> {
		for (const text of this.removal?.texts ?? []) this.outdated.add(text);
		const texts = [...this.outdated];
		this.removal = undefined;
		if (texts.length === 0) return;
		await this.store.remove(texts);
		for (const text of texts) this.outdated.delete(text);
		this.removal = { texts, probe: this.token };
	}

	/**
	 * Waits until no other process can undo the last changes, then asks for texts.
	 * @returns those that are in the store, the probe of the last removal included
	 */
	private async askSettled(texts: readonly string[]): Promise<Set<string>> {
		// Retries that started in the same moment must not write in the same moments all the time.
		await sleep(SETTLE_MS * (1 + Math.random() / 4));
		const { removal } = this;
		const probes = removal === undefined ? [] : [removal.probe];
		const found = await this.store.add([...texts, ...probes]);
		this.removal = undefined;
		for (const probe of probes) {
			// Asking for the probe has stored it again.
			this.outdated.add(probe);
			for (const text of found.has(probe) ? (removal?.texts ?? []) : []) this.outdated.add(text);
		}
		return found;
	}

	private readonly claimed = (key: string) => `${this.run}/claimed/${key}`;
	private readonly unsettled = (key: string) => `${this.run}/unsettled/${key}`;
}

function notReserved(problem: unknown): InputError {
	const reason = problem instanceof Error ? problem.message : 'other retries are running';
	return new InputError(
		'This retry',
		'could not reserve its rows in the n8n database',
		`This retry sent nothing for the item (${reason}). Run the retry again.`,
	);
}
