import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../resources/operation';
import type { Known, Memory } from './memory';
import type { Planned } from './planned';
import { whomOf } from './whom';

/** What is known of the request of one place. */
type Entry = Exclude<Known, { differs: true }> & {
	/** Digest of whom the request reaches. */
	digest: string;
};

/** What is kept in the node's context, as plain JSON: no phone number and no text of a request. */
interface StoredRecord {
	/** The round of a loop. */
	round: number;
	/** Resource, operation, and how items become requests. */
	operation: string;
	/** By the places of the requests. */
	entries: Record<string, Entry>;
}

/**
 * Remembers what the service has accepted in a run. n8n's "Retry On Fail" runs the node again with
 * all its items, and "Retry" in the list of executions continues where one failed: what is in the
 * record is not sent again.
 *
 * It lives in the node's context, which n8n keeps with the execution and hands to its retries. It
 * is emptied when the node is done, so that it stays in the data of failed executions only. Only the
 * current round of a loop is kept: the next one is meant to send again.
 */
export class SentRecord implements Memory {
	readonly isAgent = false;
	private readonly operation: Operation;
	private readonly context: { sent?: StoredRecord };
	private readonly stored: StoredRecord;
	/** Whether an earlier try has sent something with another operation. */
	private readonly isOtherOperation: boolean;
	/** Lists that were divided, or filled, in another way. */
	private readonly otherCalls = new Set<string>();
	/** How many entries each call has. */
	private readonly counts = new Map<string, number>();
	/** Digests of what was sent from a place that has something else now. */
	private readonly moved = new Set<string>();

	/** @param name resource, operation, and how items become requests */
	constructor(context: IExecuteFunctions, operation: Operation, name: string) {
		this.operation = operation;
		this.context = context.getContext('node') as { sent?: StoredRecord };
		const round = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		const found = this.context.sent?.round === round ? this.context.sent : undefined;
		this.stored = found ?? { round, operation: name, entries: {} };
		for (const place of Object.keys(this.stored.entries)) this.count(place, 1);
		const isEmpty = this.counts.size === 0;
		this.isOtherOperation = !isEmpty && this.stored.operation !== name;
		if (isEmpty) this.stored.operation = name;
		this.context.sent = this.stored;
	}

	compare(planned: readonly Planned[]): void {
		const byPlace = new Map(planned.map((each) => [each.place, each]));
		for (const [place, entry] of Object.entries(this.stored.entries)) {
			const now = byPlace.get(place);
			if (now !== undefined && this.digestOf(now) === entry.digest) continue;
			this.otherCalls.add(callOf(place));
			this.moved.add(entry.digest);
		}
	}

	find(planned: Planned): Known | undefined {
		const entry = this.stored.entries[planned.place];
		if (this.isOtherOperation) return { differs: true };
		if (entry !== undefined)
			return entry.digest === this.digestOf(planned) ? entry : { differs: true };
		const isElsewhere =
			this.otherCalls.has(callOf(planned.place)) ||
			(this.moved.size > 0 && this.moved.has(this.digestOf(planned)));
		return isElsewhere ? { differs: true } : undefined;
	}

	knowsCall(call: string): boolean {
		return this.isOtherOperation || this.countOf(call) > 0;
	}

	countOf(call: string): number {
		return this.counts.get(call) ?? 0;
	}

	note(planned: Planned, known: Exclude<Known, { differs: true }>): void {
		if (!Object.hasOwn(this.stored.entries, planned.place)) this.count(planned.place, 1);
		this.stored.entries[planned.place] = { ...known, digest: this.digestOf(planned) };
	}

	forget({ place }: Planned): void {
		this.count(place, -1);
		Reflect.deleteProperty(this.stored.entries, place);
	}

	async inTurn<Result>(_planned: Planned, task: () => Promise<Result>): Promise<Result> {
		return await task();
	}

	clear(): void {
		this.stored.entries = {};
		this.counts.clear();
		delete this.context.sent;
	}

	private count(place: string, change: number): void {
		const call = callOf(place);
		this.counts.set(call, this.countOf(call) + change);
	}

	private digestOf(planned: Planned): string {
		return String(whomOf(this.operation, planned));
	}
}

function callOf(place: string): string {
	return place.replace(/\..*$/, '');
}
