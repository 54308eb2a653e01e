import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';
import { InputError } from '../resources/shared/inputError';
import { SETTLE_MS, type ClaimStore } from './claimStore';

/**
 * What a retry may do with a request of its run: `ours`: send it; `accepted`: another retry has
 * sent it; `possiblySent`: another retry is sending it, or was interrupted while it did.
 */
export type Claim = 'ours' | 'accepted' | 'possiblySent';

/** How long requests are gathered that are claimed together. */
const GATHER_MS = 20;

/** How often a claim is tried while other processes write at the same time. */
const MOST_ATTEMPTS = 3;

/** The same for the last removals: a claim that is left in the store is in doubt for all later retries. */
const MOST_REMOVALS = 10;

/** Texts that were removed from the store. */
interface Removal {
	texts: readonly string[];
	/** Removed with them: where it has come back, another process has undone the removal. */
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
 * token that was stored with it is still there after that time. By then each process has seen that
 * token: who undoes a later removal of it brings it back, and the removal is made again.
 */
export class RetryClaims {
	private readonly store: ClaimStore;
	private readonly run: string;
	/**
	 * How many requests are claimed together: each claim takes `SETTLE_MS`, but after a crash nobody
	 * can tell those that were claimed from those that were sent.
	 */
	most = 1;
	private readonly claims = new Map<string, Claim>();
	/** Texts to remove. All are in the store: n8n searches for each. */
	private readonly outdated = new Set<string>();
	/** Tokens to remove as well: nobody minds those that stay. */
	private readonly tokens = new Set<string>();
	/** The token of the last claim that counts. */
	private probe: string | undefined;
	/** The last removal, as long as it may have been undone. */
	private removal: Removal | undefined;
	/** Requests that are waited for, each with its keys. */
	private waiting: (readonly string[])[] = [];
	private claiming: Promise<void> | undefined;

	/** @param run identity of the run, equal for all its retries */
	constructor(store: ClaimStore, run: string) {
		this.store = store;
		this.run = run;
	}

	/**
	 * Claims a request by all its keys, in one change of the store.
	 * @throws InputError when the store fails: then nothing may be sent
	 */
	async claim(keys: readonly string[]): Promise<Claim[]> {
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
		for (let attempt = 1; attempt <= MOST_REMOVALS; attempt++) {
			if (this.outdated.size === 0 && this.removal === undefined) break;
			await this.tryToClaim([]);
		}
		if (this.tokens.size > 0) await this.store.remove([...this.tokens]);
	}

	private async claimWaiting(): Promise<void> {
		// Requests that end within a moment are followed by others that are claimed together.
		await sleep(GATHER_MS);
		// Those that are too many ask again.
		const asked = this.waiting.splice(0).slice(0, this.most);
		let keys = [...new Set(asked.flat())].filter((key) => !this.claims.has(key));
		for (let attempt = 1; keys.length > 0 && attempt <= MOST_ATTEMPTS; attempt++) {
			keys = await this.tryToClaim(keys).catch((error: unknown) => {
				throw notReserved(error);
			});
		}
		if (keys.length > 0) throw notReserved(undefined);
	}

	/**
	 * Removes what is outdated, and claims keys.
	 * @returns the keys that are still open, because another process wrote at the same time
	 */
	private async tryToClaim(keys: readonly string[]): Promise<string[]> {
		await this.removeOutdated();
		const token = `${this.run}/token/${randomUUID()}`;
		const texts = keys.flatMap((key) => [this.claimed(key), this.unsettled(key)]);
		const before = await this.store.add([...texts, token]);
		const isHeld = await this.isSettled(token);
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

	/** Removes what is outdated, where it can be seen afterwards whether that lasts. */
	private async removeOutdated(): Promise<void> {
		const { probe } = this;
		if (probe === undefined) return;
		const texts = [...this.outdated];
		const tokens = [...this.tokens];
		await this.store.remove([...texts, ...tokens]);
		this.removal = { texts, probe };
		this.probe = undefined;
		// More may have become outdated in the meantime.
		for (const text of texts) this.outdated.delete(text);
		for (const token of tokens) this.tokens.delete(token);
	}

	/**
	 * Waits until no other process can undo the last changes.
	 * @returns whether a token that was stored with them is still there
	 */
	private async isSettled(token: string): Promise<boolean> {
		// Retries that started in the same moment must not write in the same moments all the time.
		await sleep(SETTLE_MS * (1 + Math.random() / 4));
		const { removal } = this;
		const asked = removal === undefined ? [token] : [token, removal.probe];
		const found = await this.store.add(asked);
		this.removal = undefined;
		// Asking for them has stored them again.
		for (const text of asked) this.tokens.add(text);
		if (removal !== undefined && found.has(removal.probe))
			for (const text of removal.texts) this.outdated.add(text);
		const isHeld = found.has(token);
		if (isHeld) this.probe = token;
		return isHeld;
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
