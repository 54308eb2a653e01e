import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { JsonList } from '../jsonList';
import type { RecipientList } from '../recipients/batch';
import { isTool } from '../transport/gate';
import type { ServiceRequest } from '../transport/request';
import { claimStoreOf } from './claimStore';
import type { Progress } from './progress';
import { RetryClaims, type Claim } from './retryClaims';
import { identityOf } from './runIdentity';
import { AnotherDivision, AnotherOperation, OtherRetryRunning } from './tryRefused';

/** What is known about one sending request: the IDs of its response, or that it may have been sent. */
export interface Entry {
	/** The input items that it stands for: pairs of the first and last of a range. */
	rows: [number, number][];
	/** How many requests stand for these rows, where there is more than one. */
	requests?: number;
	/** Digest of the phone numbers of a campaign. */
	recipients?: string;
	/** First and last row of the file that a campaign is from, and how many campaigns they have. */
	fileRows?: [firstRow: number, lastRow: number, campaigns: number];
	response?: unknown;
	possiblySent?: true;
	httpCode?: string;
}

/** What is kept in the node's context, as plain JSON: no phone number and no text of a request. */
interface StoredRecord {
	/** The round of a loop; all of them where the node runs as a tool. */
	round: number | 'all';
	operation: string;
	/** By keys of the requests. */
	entries: Record<string, Entry>;
}

/**
 * Why requests of earlier tries failed, by their keys. In memory, for Retry On Fail: the words of the
 * service may quote a number or a text, which n8n must not store.
 */
const causesOfRecords = new WeakMap<StoredRecord, Map<string, string>>();

/** An operation, as the record knows it. */
export interface RecordedOperation {
	/** Resource, operation, and how items become requests. */
	name: string;
	/** Whether messages or calls may follow. */
	reachesPeople: boolean;
}

/** A request, as the record knows it beforehand. */
export interface RecordedCall {
	/** The same in each try: the input item and, of a divided list, the part. */
	key: string;
	/** The input items that it stands for. */
	rows: readonly number[];
	/** How many requests stand for these rows. */
	requests: number;
	/** Digest of the phone numbers of a campaign. */
	recipients?: string;
	/** First and last row of the file that a campaign is from, and how many campaigns they have. */
	fileRows?: [firstRow: number, lastRow: number, campaigns: number];
}

/**
 * Remembers what the service has accepted in a run. n8n's "Retry On Fail" runs the node again with
 * all its items, and "Retry" in the list of executions continues where one failed: what is in the
 * record is not sent again.
 *
 * It lives in the node's context, which n8n keeps with the execution and hands to its retries. It
 * is emptied when the node is done, so that it stays in the data of failed executions only. What a
 * retry sends is also claimed in a store (`RetryClaims`), for the retries of the same execution.
 *
 * An agent may call a tool several times in one round, with other values each time, and try one
 * again in a new round. So a tool's requests are known by what they hold, not by their round.
 */
export class SentRecord {
	readonly claims: RetryClaims | undefined;
	readonly isTool: boolean;
	/** Why requests failed that were possibly sent. */
	readonly causes: Map<string, string>;
	private readonly reachesPeople: boolean;
	private readonly isSameOperation: boolean;
	/** Whether the retried execution came to this node: n8n keeps its items then. */
	private readonly hasSameItems: boolean;
	/** Whether another try has sent something with another operation. */
	private isRefused = false;
	private readonly context: { sent?: StoredRecord };
	private readonly stored: StoredRecord;
	private readonly progress: Progress;
	/** Keys of the requests that this try made, or found in the record. */
	private readonly visited = new Set<string>();
	/** Keys that earlier tries left. */
	private readonly earlierKeys: ReadonlySet<string>;
	/** How many requests reach a person, by what stands for the number. */
	private readonly times = new Map<string, number>();
	/** What a retry claims for the operation. */
	private readonly operationKeys: readonly [string, string] | undefined;
	/** Claims on the division of calls. */
	private readonly divisions = new Map<string, readonly string[]>();
	/** Keys that earlier tries left, by the call whose parts they are. */
	private readonly earlierParts = new Map<string, string[]>();

	constructor(
		context: IExecuteFunctions,
		{ name: operation, reachesPeople }: RecordedOperation,
		progress: Progress,
	) {
		this.reachesPeople = reachesPeople;
		this.context = context.getContext('node') as { sent?: StoredRecord };
		this.progress = progress;
		this.isTool = isTool(context);
		// In a loop, the same items and texts are meant to go out again.
		const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		const round = this.isTool ? 'all' : runIndex;
		const found = this.context.sent?.round === round ? this.context.sent : undefined;
		this.stored = found ?? { round, operation, entries: {} };
		this.hasSameItems = found !== undefined;
		const keys = Object.keys(this.stored.entries);
		this.isSameOperation = this.isTool || keys.length === 0 || this.stored.operation === operation;
		if (this.isSameOperation) this.stored.operation = operation;
		this.context.sent = this.stored;
		this.causes = causesOfRecords.get(this.stored) ?? new Map<string, string>();
		causesOfRecords.set(this.stored, this.causes);
		this.earlierKeys = new Set(keys);
		for (const key of this.isTool ? [] : keys) {
			const call = callOf(key);
			this.earlierParts.set(call, [...(this.earlierParts.get(call) ?? []), key]);
		}
		const identity = identityOf(context);
		if (!identity.isInherited) return;
		this.claims = new RetryClaims(claimStoreOf(context), `${identity.id}/${round}`);
		if (!this.isTool) this.operationKeys = ['operation', `operation/${digest(operation)}`];
	}

	/** @throws AnotherOperation where an earlier try has sent something with another one */
	assertSameOperation(): void {
		if (this.isSameOperation) return;
		this.isRefused = true;
		throw new AnotherOperation('the first try');
	}

	/** What is known of a request, by its key. What an agent repeats within a try is not for this record. */
	find(key: string): Entry | undefined {
		this.visited.add(key);
		const entry = this.stored.entries[key];
		const isRepeat = this.isTool && entry?.possiblySent !== true && !this.earlierKeys.has(key);
		return isRepeat ? undefined : entry;
	}

	/**
	 * What a retry claims for a request: its place in the input, then, if known, whom it reaches. The nodes before
	 * this one may give other items to the next retry, or the same in another order.
	 * @param recipients a phone number, or a digest of several
	 */
	keysOf(place: string, recipients: unknown): readonly string[] {
		if (this.claims === undefined || this.isTool || typeof recipients !== 'string') return [place];
		const person = `to/${digest(recipients)}`;
		const times = (this.times.get(person) ?? 0) + 1;
		this.times.set(person, times);
		return [place, `${person}.${times}`];
	}

	/** Whether anything is known of a request. */
	has(key: string): boolean {
		return this.stored.entries[key] !== undefined;
	}

	/** What earlier tries have sent, or possibly sent, of a call. */
	earlierEntries(call: string): (Entry & { part: number })[] {
		return (this.earlierParts.get(call) ?? []).flatMap((key) => {
			const entry = this.stored.entries[key];
			return entry === undefined ? [] : [{ ...entry, part: partOf(key) }];
		});
	}

	/** The input items that earlier tries have sent, or possibly sent, with a call, or with any. */
	earlierRows(call?: string): ReadonlySet<number> {
		const calls = call === undefined ? [...this.earlierParts.keys()] : [call];
		const entries = calls.flatMap((each) => this.earlierEntries(each));
		return new Set(entries.flatMap(({ rows }) => rows.flatMap(rowsOfRange)));
	}

	/**
	 * Whether it is certain that no other retry has sent a call, or a part of it.
	 * @param isList whether the call has recipients that may be divided
	 */
	async isCallUnclaimed(call: string, isList: boolean): Promise<boolean> {
		return await this.isUnclaimed([isList ? divisionKey(call) : call]);
	}

	/**
	 * Whether it is certain that no other retry has sent what keys stand for; without any, that none has
	 * sent anything. Also a row that cannot be sent now may have been sent by another retry. Reserves
	 * what it asks for until this retry is over.
	 * @param keys as of `keysOf`. A place alone tells only where the items are the same in each retry
	 */
	async isUnclaimed(keys: readonly string[] = []): Promise<boolean> {
		const { claims, operationKeys, reachesPeople } = this;
		if (!reachesPeople) return !this.isRefused;
		if (claims === undefined || operationKeys === undefined) return true;
		try {
			const [any, same] = await claims.claim(operationKeys);
			const isSettled = any === 'accepted' && same === 'accepted';
			if (!isSettled || keys.length < (this.hasSameItems ? 1 : 2)) return any === 'ours';
			const claimed = await claims.claim(keys);
			return claimed.every((claim) => claim === 'ours');
		} catch {
			// Without the store, nothing is certain.
			return false;
		}
	}

	/** Whether an earlier try has sent a call, or a part of it. */
	isKnown(call: string): boolean {
		return this.earlierParts.has(call);
	}

	/** Notes what a request came to. */
	add(key: string, call: RecordedCall, outcome: Partial<Entry>): void {
		const { rows, requests, recipients, fileRows } = call;
		this.stored.entries[key] = {
			rows: rangesOf(rows),
			...(requests > 1 ? { requests } : {}),
			...(recipients === undefined ? {} : { recipients }),
			...(fileRows === undefined ? {} : { fileRows }),
			...outcome,
		};
		// From now on, other retries must send in the same way.
		const division = this.divisions.get(callOf(key)) ?? [];
		for (const each of [...(this.operationKeys ?? []), ...division]) this.claims?.accepted(each);
	}

	/**
	 * Claims a request by all its keys, where the try is a retry.
	 * @throws AnotherOperation
	 * @throws OtherRetryRunning
	 * @throws InputError when n8n's store fails: then nothing may be sent
	 */
	async claim(keys: readonly string[]): Promise<readonly Claim[] | undefined> {
		await this.assertOperation();
		return await this.claims?.claim(keys);
	}

	/**
	 * Makes sure that what was sent of a call is sent by the same requests now: otherwise nobody could
	 * tell which recipients the others still have to reach. Where nothing was sent, the division may
	 * change.
	 * @param parts the requests of the call
	 * @throws AnotherDivision when one of those that were sent has other recipients now
	 * @throws AnotherOperation
	 * @throws OtherRetryRunning
	 */
	async assertDivision(call: string, parts: readonly RecordedCall[]): Promise<void> {
		const recipients = new Map(parts.map((part) => [part.key, part.recipients]));
		const isSame = (key: string) => recipients.get(key) === this.stored.entries[key]?.recipients;
		if (!(this.earlierParts.get(call) ?? []).every(isSame))
			throw new AnotherDivision('the first try');
		if (this.claims === undefined || this.isTool) return;
		await this.assertOperation();
		const keys = divisionKeys(call, parts);
		if (await isOtherwise(this.claims, keys)) throw new AnotherDivision('another retry');
		this.divisions.set(call, keys);
	}

	/** Other retries may have reached the same people by other items. */
	private async assertOperation(): Promise<void> {
		if (this.claims === undefined || this.operationKeys === undefined) return;
		if (!(await isOtherwise(this.claims, this.operationKeys))) return;
		this.isRefused = true;
		throw new AnotherOperation('another retry');
	}

	/** Counts what earlier tries have sent and this one, stopped before, did not come to. */
	countEarlier(): void {
		if (this.isTool) return;
		for (const [key, { rows: ranges, requests = 1, possiblySent }] of Object.entries(
			this.stored.entries,
		)) {
			if (this.visited.has(key)) continue;
			const rows = ranges.flatMap(rowsOfRange);
			if (requests > 1) this.progress.expect(rows, requests);
			this.progress.possiblySent(rows);
			if (possiblySent !== true) this.progress.sent(rows);
		}
	}

	/** The node is done: nothing of this round will be tried again, except by an agent. */
	clear(): void {
		const kept = Object.entries(this.stored.entries).filter(
			([key, { possiblySent }]) => this.isTool && (possiblySent === true || !this.visited.has(key)),
		);
		this.stored.entries = Object.fromEntries(kept);
		if (kept.length === 0) delete this.context.sent;
	}
}

/** The key of a part of a call; that of the first or only one is the call's. */
export function keyOfPart(call: string, part = 1): string {
	return part === 1 ? call : `${call}.${part}`;
}

/**
 * Claims a way to send.
 * @param keys that there is one, and which
 * @returns whether another retry has sent something in another way
 * @throws OtherRetryRunning when another retry may be about to send
 */
async function isOtherwise(claims: RetryClaims, keys: readonly [string, string]): Promise<boolean> {
	const [any, same] = await claims.claim(keys);
	// A way is in use when something was sent: until then, another retry may be about to, or only ask.
	if (same === 'possiblySent' || (any === 'possiblySent' && same === 'ours'))
		throw new OtherRetryRunning();
	return any === 'accepted' && same === 'ours';
}

/** What a retry claims for the division of a call: that it is divided, and how. */
function divisionKeys(call: string, parts: readonly RecordedCall[]): [string, string] {
	const division = digest(JSON.stringify(parts.map(({ recipients }) => recipients)));
	return [divisionKey(call), `${divisionKey(call)}/${division}`];
}

/** What a retry claims for the division of a call, whichever it is. */
function divisionKey(call: string): string {
	return `${call}/division`;
}

function partOf(key: string): number {
	return Number(/\.(.*)$/.exec(key)?.[1] ?? 1);
}

function callOf(key: string): string {
	return key.replace(/\..*$/, '');
}

/** Positions in ascending order as ranges. */
function rangesOf(rows: readonly number[]): [number, number][] {
	const ranges: [number, number][] = [];
	for (const row of rows) {
		const last = ranges.at(-1);
		if (last !== undefined && row === last[1] + 1) last[1] = row;
		else ranges.push([row, row]);
	}
	return ranges;
}

function rowsOfRange([first, last]: [number, number]): number[] {
	return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

/** Tells requests apart without keeping what they hold. */
export function hashOf({ method, path, query, body }: ServiceRequest): string {
	return digest(JSON.stringify([method, path, query, body]));
}

/** Tells lists of recipients apart without keeping them: by their numbers, or the rows of a file. */
export function digestOfNumbers(recipients: RecipientList, numberName: string): string {
	if (recipients instanceof JsonList) return digest(recipients.content);
	return digest(
		recipients.map((recipient) => String((recipient as IDataObject)[numberName])).join('\n'),
	);
}

function digest(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
