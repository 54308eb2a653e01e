import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../resources/operation';
import type { Known, Memory } from './memory';
import { whomOf, type Planned } from './planned';

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
	/** By the places of the requests: the call, and the part of its list. */
	entries: Record<string, Record<string, Entry>>;
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
	/** Digests of what was sent from a place that has something else now. */
	private readonly moved = new Set<string>();

	/** @param name resource, operation, and how items become requests */
	constructor(context: IExecuteFunctions, operation: Operation, name: string) {
		this.operation = operation;
		this.context = context.getContext('node') as { sent?: StoredRecord };
		const round = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
		const found = this.context.sent?.round === round ? this.context.sent : undefined;
		this.stored = found ?? { round, operation: name, entries: {} };
		const isEmpty = Object.keys(this.stored.entries).length === 0;
		this.isOtherOperation = !isEmpty && this.stored.operation !== name;
		if (isEmpty) this.stored.operation = name;
		this.context.sent = this.stored;
	}

	compare(planned: readonly Planned[]): void {
		const now = new Map(planned.map((each) => [`${each.place}.${each.part}`, each]));
		for (const [place, parts] of Object.entries(this.stored.entries)) {
			for (const [part, { digest }] of Object.entries(parts)) {
				const same = now.get(`${place}.${part}`);
				if (same !== undefined && this.digestOf(same) === digest) continue;
				this.otherCalls.add(place);
				this.moved.add(digest);
			}
		}
	}

	find(planned: Planned): Known | undefined {
		if (this.isOtherOperation) return { differs: true };
		const { place, part } = planned;
		const entry = this.stored.entries[place]?.[part];
		if (entry === undefined && this.moved.size === 0) return undefined;
		if (entry?.digest === this.digestOf(planned)) return entry;
		const differs =
			entry !== undefined || this.otherCalls.has(place) || this.moved.has(this.digestOf(planned));
		return differs ? { differs } : undefined;
	}

	knowsCall(place: string): boolean {
		return this.isOtherOperation || this.countOf(place) > 0;
	}

	countOf(place: string): number {
		return Object.keys(this.stored.entries[place] ?? {}).length;
	}

	note(planned: Planned, known: Exclude<Known, { differs: true }>): void {
		const parts = (this.stored.entries[planned.place] ??= {});
		parts[planned.part] = { ...known, digest: this.digestOf(planned) };
	}

	forget({ place, part }: Planned): void {
		const { [place]: parts = {} } = this.stored.entries;
		Reflect.deleteProperty(parts, part);
		if (Object.keys(parts).length === 0) Reflect.deleteProperty(this.stored.entries, place);
	}

	async inTurn<Result>(_planned: Planned, task: () => Promise<Result>): Promise<Result> {
		return await task();
	}

	clear(): void {
		this.stored.entries = {};
		delete this.context.sent;
	}

	private digestOf(planned: Planned): string {
		return String(whomOf(this.operation, planned));
	}
}
