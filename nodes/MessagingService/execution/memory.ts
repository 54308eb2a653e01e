import { isEmpty, omit } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../json';
import { readNumber } from '../numbers/readNumber';
import { numbersIn } from '../reach';
import { identifiersOf } from '../transport/responseShape';
import { Sequence } from '../transport/sequence';
import { digest, whomOf, type Planned } from './job';

/** What is known of a request that was sent, or possibly sent: no phone number and no text. */
type Sending =
	/** It was accepted: what identifies the response. */
	| { response: unknown }
	/** It may have been accepted. */
	| { possiblySent: true; httpCode?: string };

/** What is known of a request from earlier; `differs`: another one may have been sent in its place. */
export type Known = Sending | { differs: true };

/** What all Messaging Service nodes of an execution share, as plain JSON. */
interface FlowMemory {
	/** The execution in which the first of them ran; its retries inherit it. */
	execution: string;
	/** What agents have sent, or possibly sent, by digests of the requests. */
	sentByAgent?: Record<string, Sending>;
}

/**
 * What is kept in n8n's context of the whole execution, which n8n saves with a failed execution and
 * hands to its retries. The first node that asks makes it.
 */
export function flowMemory(context: IExecuteFunctions): FlowMemory {
	const flow = context.getContext('flow') as { messagingService?: FlowMemory };
	flow.messagingService ??= { execution: context.getExecutionId() };
	return flow.messagingService;
}

/** What is kept in the node's context, as plain JSON. */
interface StoredRecord {
	/** Resource, operation, and how items become requests. */
	operation: string;
	/** By the first item of the job, then by the campaign of its list; with whom each reached. */
	entries: Record<string, Record<string, Sending & { digest: string }>>;
}

/**
 * Remembers what the service has accepted in a run. n8n's "Retry On Fail" runs the node again with
 * all its items, and "Retry" in the list of executions continues where one failed: what is in the
 * record is not sent again. Where it has something that the items are not, nothing else is sent.
 *
 * It lives in the node's context, which n8n keeps with the execution and hands to its retries. It
 * is emptied when the node is done, so that it stays in the data of failed executions only, and the
 * next round of a loop sends again.
 */
export class SentRecord {
	private readonly name: string;
	private readonly context: { sent?: StoredRecord };
	private readonly stored: StoredRecord;
	/** Whether an earlier try has sent something that is not among the requests of this one. */
	differs: boolean;

	/** @param name resource, operation, and how items become requests */
	constructor(context: IExecuteFunctions, name: string) {
		this.name = name;
		this.context = context.getContext('node') as { sent?: StoredRecord };
		this.stored = this.context.sent ?? { operation: name, entries: {} };
		this.differs = this.stored.operation !== name && !isEmpty(this.stored.entries);
		if (!this.differs) this.stored.operation = name;
		this.context.sent = this.stored;
	}

	/** Looks for everything that earlier tries have sent among the requests of this one. */
	compare(planned: readonly Planned[]): void {
		const entries = Object.values(this.stored.entries).flatMap((parts) => Object.values(parts));
		if (entries.length === 0) return;
		const found = planned.filter((each) => this.entryOf(each)?.digest === this.digestOf(each));
		this.differs ||= found.length < entries.length;
	}

	/** What is known of a request from earlier. */
	find(planned: Planned): Known | undefined {
		const entry = this.entryOf(planned);
		if (entry === undefined) return this.differs ? { differs: true } : undefined;
		return entry.digest === this.digestOf(planned) ? entry : { differs: true };
	}

	/** Whether anything of a job was sent, or possibly sent. */
	knowsJob(itemIndexes: readonly number[]): boolean {
		return this.differs || this.countOf(itemIndexes) > 0;
	}

	/** How many requests of a job were sent, or possibly sent. */
	countOf(itemIndexes: readonly number[]): number {
		return Object.keys(this.stored.entries[jobOf({ itemIndexes })] ?? {}).length;
	}

	/** Notes a request: before it goes out that it is possibly sent, then what it came to. */
	note(planned: Planned, sending: Sending): void {
		const parts = (this.stored.entries[jobOf(planned)] ??= {});
		const { digest: known = this.digestOf(planned) } = parts[campaignOf(planned)] ?? {};
		parts[campaignOf(planned)] = { ...sending, digest: known };
	}

	/** It is certain that a request was not accepted. */
	forget(planned: Planned): void {
		const place = jobOf(planned);
		const { [place]: parts = {} } = this.stored.entries;
		Reflect.deleteProperty(parts, campaignOf(planned));
		if (isEmpty(parts)) Reflect.deleteProperty(this.stored.entries, place);
	}

	/** The run is done: nothing of it is tried again. */
	clear(): void {
		delete this.context.sent;
	}

	private entryOf(planned: Planned) {
		return this.stored.entries[jobOf(planned)]?.[campaignOf(planned)];
	}

	private digestOf(planned: Planned): string {
		return digest([this.name, ...whomOf(planned)]);
	}
}

/** What tells jobs apart, in each try of an execution: the first of their input items. */
function jobOf({ itemIndexes }: Pick<Planned, 'itemIndexes'>): string {
	return String(itemIndexes[0] ?? 0);
}

function campaignOf({ batch }: Planned): number {
	return batch?.part ?? 1;
}

/** Of a response, only what identifies: an ID as such, or the fields that hold one. */
export function identifying(response: unknown): unknown {
	if (typeof response === 'string' || typeof response === 'number') return response;
	return isObject(response) ? identifiersOf(response) : null;
}

/** The requests of an execution that are in progress, by their digests. */
const inProgress = new WeakMap<object, Sequence>();

/**
 * Keeps an agent from making an identical request that reaches people a second time within one
 * execution: also where the first one was only possibly sent, or is in progress, and with another
 * tool. Identical means the same account, sender, recipients and text.
 */
export class AgentMemory {
	private readonly sent: Record<string, Sending>;
	private readonly account: string;
	private readonly sequence: Sequence;

	/** @param account what tells the accounts apart that the tools use */
	constructor(context: IExecuteFunctions, account: string) {
		const flow = flowMemory(context);
		this.sent = flow.sentByAgent ??= {};
		this.account = account;
		this.sequence = inProgress.get(flow) ?? new Sequence();
		inProgress.set(flow, this.sequence);
	}

	/** What is known of an identical request from earlier. */
	find(planned: Planned): Sending | undefined {
		return this.sent[this.keyOf(planned)];
	}

	/** Notes a request: before it goes out that it is possibly sent, then what it came to. */
	note(planned: Planned, sending: Sending): void {
		this.sent[this.keyOf(planned)] = sending;
	}

	/** It is certain that a request was not accepted. */
	forget(planned: Planned): void {
		Reflect.deleteProperty(this.sent, this.keyOf(planned));
	}

	/** Runs a task when no identical request is in progress. */
	async inTurn<Result>(planned: Planned, task: () => Promise<Result>): Promise<Result> {
		return await this.sequence.run(this.keyOf(planned), task);
	}

	/**
	 * Equal for equal requests, however the number is written, and with spaces around the text. A
	 * message is equal if account, sender, numbers and text are: operation and time do not count.
	 */
	private keyOf({ request: { reaches, path, query, body = {} } }: Planned): string {
		const whom = (numbersIn(reaches) ?? []).map((number) => {
			const reading = readNumber(number, { format: 'international' });
			return reading.problem === undefined ? reading.key : number;
		});
		const { message } = body;
		const text = typeof message === 'string' ? message.trim() : message;
		const rest =
			reaches.kind === 'messages'
				? body.sender
				: [path.toLowerCase(), query, omit(body, 'phoneNumber', 'message')];
		return digest([JSON.stringify([this.account, whom.sort(), text, rest])]);
	}
}
