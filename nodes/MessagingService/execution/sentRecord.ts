import { createHash, randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../resources/shared/inputError';
import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import type { EarlierOutcome, RequestRecord } from '../transport/requestRecord';
import { claimStoreOf } from './claimStore';
import type { Progress } from './progress';
import { RetryClaims } from './retryClaims';

/** What is known about one sending request: the IDs of its response, or that it may have been sent. */
interface Entry {
	hash: string;
	/** The input items that it stands for: pairs of the first and last of a range. */
	rows: [number, number][];
	response?: unknown;
	possiblySent?: true;
	httpCode?: string;
}

/** One round of a loop, by keys of its calls. */
interface Round {
	entries: Record<string, Entry>;
	/** How the rows of a call were divided into requests. */
	divisions: Record<string, string>;
}

/** What is kept in the node's context, as plain JSON: no phone number and no text of a request. */
interface StoredRecord {
	/** Identity of the run: its retries inherit it. */
	run: string;
	rounds: Record<string, Round>;
}

/** The request was accepted in another retry, whose response is not known here. */
export class SentByOtherRetry extends Error {
	constructor() {
		super('Another retry of this execution has sent it');
		this.name = 'SentByOtherRetry';
	}
}

/**
 * Remembers what the service has accepted in a run. n8n's "Retry On Fail" runs the node again with
 * all its items, and "Retry" in the list of executions continues where one failed: what is in the
 * record is not sent again.
 *
 * It lives in the node's context, which n8n keeps with the execution and hands to its retries. It
 * is removed when the node is done, so that it stays in the data of failed executions only. What a
 * retry sends is also claimed in a store (`RetryClaims`), for the retries of the same execution.
 */
export class SentRecord {
	/** Whether n8n runs the node again for what an earlier execution did not send. */
	readonly isRetry: boolean;
	readonly claims: RetryClaims | undefined;
	readonly round: Round;
	private readonly context: { sent?: StoredRecord };
	private readonly stored: StoredRecord;
	private readonly roundName: string;
	private readonly progress: Progress;
	/** Keys of the requests that this try came to. */
	private readonly visited = new Set<string>();

	/**
	 * @param operation resource and operation: the record of another one does not count
	 */
	constructor(context: IExecuteFunctions, operation: string, progress: Progress) {
		this.context = context.getContext('node') as { sent?: StoredRecord };
		this.progress = progress;
		const found = this.context.sent;
		this.stored = found ?? { run: randomUUID(), rounds: {} };
		this.context.sent = this.stored;
		// In a loop, the same items and texts are meant to go out again.
		const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		this.roundName = `${operation} ${runIndex}`;
		this.round = this.stored.rounds[this.roundName] ?? { entries: {}, divisions: {} };
		this.stored.rounds[this.roundName] = this.round;
		this.isRetry = context.getMode() === 'retry' && found !== undefined;
		if (this.isRetry) {
			this.claims = new RetryClaims(
				claimStoreOf(context),
				`${this.stored.run}/${this.roundName}`,
				(key) => this.following(key),
			);
		}
	}

	/**
	 * The record of one request: of an input item, or of the first of those that it stands for.
	 * @param rows the input items that it stands for
	 * @param isOnly the node makes no other: once it is accepted, nothing can fail any more
	 */
	of(key: string, rows: readonly number[], isOnly: boolean): CallRecord {
		this.visited.add(key);
		return new CallRecord(this, this.progress, key, rows, isOnly);
	}

	/**
	 * Makes sure that a later try divides the rows into requests like the first one: otherwise
	 * nobody could tell which rows of a campaign were sent.
	 * @throws InputError when the division is another one now
	 */
	assertDivision(key: string, rowsOfParts: readonly (readonly number[])[]): void {
		const parts = rowsOfParts.map((rows) => `${rows.length}:${rows[0] ?? ''}:${rows.at(-1) ?? ''}`);
		const division = parts.length > 10 ? digest(parts) : parts.join(' ');
		const earlier = this.round.divisions[key];
		this.round.divisions[key] = division;
		if (earlier === undefined || earlier === division) return;
		this.round.divisions[key] = earlier;
		throw new InputError(
			'The division into campaigns',
			'differs from that of the first try',
			'This try sent nothing more. Restore the options and the input of the first try, or start a new execution with only the rows that were not sent.',
		);
	}

	/**
	 * A request like this one that may have been sent in another round. n8n starts a new round when
	 * it retries an agent's tool; rounds that went well leave nothing behind.
	 */
	openElsewhere(hash: string): Entry | undefined {
		return Object.entries(this.stored.rounds)
			.filter(([name]) => name !== this.roundName)
			.flatMap(([, { entries }]) => Object.values(entries))
			.find((entry) => entry.possiblySent === true && entry.hash === hash);
	}

	/** Whether there is more than one round, so that requests of others have to be looked at. */
	get hasOtherRounds(): boolean {
		return Object.keys(this.stored.rounds).length > 1;
	}

	/** Counts what earlier tries have sent and this one, stopped before, did not come to. */
	countEarlier(): void {
		for (const [key, { rows: ranges, possiblySent }] of Object.entries(this.round.entries)) {
			if (this.visited.has(key)) continue;
			const rows = ranges.flatMap(([first, last]) =>
				Array.from({ length: last - first + 1 }, (_, step) => first + step),
			);
			this.progress.possiblySent(rows);
			if (possiblySent !== true) this.progress.sent(rows);
		}
	}

	/** The node is done: nothing of this round will be tried again. */
	clear(): void {
		const others = Object.entries(this.stored.rounds).filter(([name]) => name !== this.roundName);
		this.stored.rounds = Object.fromEntries(others);
		if (others.length === 0) delete this.context.sent;
	}

	/** Input items after one, as far as nothing is known of them. */
	private following(key: string): string[] {
		const row = Number(key);
		if (!Number.isInteger(row)) return [];
		const keys: string[] = [];
		for (let next = row + 1; next < this.progress.total && keys.length < 100; next++) {
			if (this.round.entries[next] === undefined) keys.push(String(next));
		}
		return keys;
	}
}

/** The record of the one sending request that a call makes. */
export class CallRecord implements RequestRecord {
	/** Whether a request was sent, or found to have been: then a failure does not undo it. */
	isTouched = false;
	/** Whether the request was accepted in this try or an earlier one. */
	isAccepted = false;
	/** Whether the failure is that of an earlier try: it does not stop the others. */
	isEarlierFailure = false;
	/** Whether the sending policy simulated the request. */
	isSimulated = false;
	/** Whether an agent asked for what it had sent already. */
	isRepeat = false;
	private readonly sent: SentRecord;
	private readonly progress: Progress;
	private readonly key: string;
	private readonly rows: readonly number[];
	private readonly isOnly: boolean;

	constructor(
		sent: SentRecord,
		progress: Progress,
		key: string,
		rows: readonly number[],
		isOnly: boolean,
	) {
		this.sent = sent;
		this.progress = progress;
		this.key = key;
		this.rows = rows;
		this.isOnly = isOnly;
	}

	async earlier(request: ServiceRequest): Promise<EarlierOutcome | undefined> {
		const { round, hasOtherRounds, claims } = this.sent;
		const entry =
			round.entries[this.key] ??
			(hasOtherRounds ? this.sent.openElsewhere(hashOf(request)) : undefined);
		if (entry !== undefined) return this.known(entry);
		if (claims === undefined) return undefined;
		switch (await this.claim(claims)) {
			case 'ours':
				return undefined;
			case 'accepted':
				this.known({ response: null });
				throw new SentByOtherRetry();
			case 'possiblySent':
				return this.known({ possiblySent: true });
		}
	}

	async starting(): Promise<void> {
		this.isTouched = true;
		this.progress.possiblySent(this.rows);
	}

	accepted(request: ServiceRequest, response: unknown): void {
		this.isAccepted = true;
		this.progress.sent(this.rows);
		this.sent.claims?.accepted(this.key);
		// Hashing a campaign of 100,000 takes as long as sending it.
		if (this.isOnly) return;
		this.sent.round.entries[this.key] = {
			hash: hashOf(request),
			rows: rangesOf(this.rows),
			response: identifiersOf(response),
		};
	}

	possiblySent(request: ServiceRequest, { httpCode }: Failure): void {
		this.sent.claims?.possiblySent(this.key);
		this.sent.round.entries[this.key] = {
			hash: hashOf(request),
			rows: rangesOf(this.rows),
			possiblySent: true,
			...(httpCode === undefined ? {} : { httpCode }),
		};
	}

	notSent(): void {
		this.isTouched = false;
		this.progress.notSent(this.rows);
	}

	simulated(): void {
		this.notSent();
		this.isSimulated = true;
	}

	repeated(): void {
		this.progress.sent(this.rows);
		this.isAccepted = true;
		this.isRepeat = true;
	}

	private known({ response, possiblySent, httpCode }: Partial<Entry>): EarlierOutcome {
		this.isTouched = true;
		this.progress.possiblySent(this.rows);
		if (possiblySent !== true) {
			this.isAccepted = true;
			this.progress.sent(this.rows);
			return { response };
		}
		this.isEarlierFailure = true;
		return { failure: earlierFailure(httpCode) };
	}

	private async claim(claims: RetryClaims) {
		const claim = await claims.claim(this.key).catch((error: unknown) => ({ error }));
		if (typeof claim === 'string') return claim;
		const reason = claim.error instanceof Error ? ` (${claim.error.message})` : '';
		throw new InputError(
			'This retry',
			'could not reserve its rows in the n8n database',
			`Nothing was sent for this item${reason}. Run the retry again.`,
		);
	}
}

/** Made anew, for the service's own words may quote a number or a text. */
function earlierFailure(httpCode: string | undefined): Failure {
	return {
		message: 'Possibly sent in an earlier try',
		description:
			'An earlier try ended without a readable response of the service, so the request may have been accepted. Check in the service.',
		...(httpCode === undefined ? {} : { httpCode }),
		sent: 'possibly',
	};
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

const IDENTIFIER = /^(id|newId)$|[a-z_](Id|ID)$/;

/** Of a response, only what identifies: an ID as such, or the fields that hold one. */
function identifiersOf(response: unknown): unknown {
	if (typeof response !== 'object' || response === null) {
		return typeof response === 'string' || typeof response === 'number' ? response : null;
	}
	return Object.fromEntries(
		Object.entries(response as IDataObject).filter(
			([name, value]) =>
				IDENTIFIER.test(name) && (typeof value === 'string' || typeof value === 'number'),
		),
	);
}

/** Tells requests apart without keeping what they hold. */
function hashOf({ method, path, query, body }: ServiceRequest): string {
	return digest([method, path, query, body]);
}

function digest(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);
}
