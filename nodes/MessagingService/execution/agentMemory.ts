import { omit } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { numbersIn } from '../reach';
import { personOf } from '../recipients/phoneNumber';
import { Sequence } from '../transport/concurrency';
import type { Sending } from './ledger';
import { digest, type PlannedRequest } from './planned';
import { flowMemory } from './memory';

/** The requests of an execution that are in progress, by their digests. */
const inProgress = new WeakMap<object, Sequence>();

/**
 * Keeps an agent from making an identical request that reaches people a second time within one
 * execution: also where the first one was only possibly sent, or is in progress, and with another
 * tool. Identical means the same account, sender, recipients and text.
 */
export class AgentMemory {
	private readonly sent: Record<string, Sending>;
	private readonly accountKey: string;
	private readonly sequence: Sequence;

	/** @param accountKey what tells the accounts apart that the tools use */
	constructor(context: IExecuteFunctions, accountKey: string) {
		const flow = flowMemory(context);
		this.sent = flow.sentByAgent ??= {};
		this.accountKey = accountKey;
		this.sequence = inProgress.get(flow) ?? new Sequence();
		inProgress.set(flow, this.sequence);
	}

	/** What is known of an identical request from earlier. */
	find(planned: PlannedRequest): Sending | undefined {
		return this.sent[this.keyOf(planned)];
	}

	/** Notes a request: before it goes out that it is possibly sent, then what it came to. */
	note(planned: PlannedRequest, sending: Sending): void {
		this.sent[this.keyOf(planned)] = sending;
	}

	/** It is certain that a request was not accepted. */
	forget(planned: PlannedRequest): void {
		Reflect.deleteProperty(this.sent, this.keyOf(planned));
	}

	/** Runs a task when no identical request is in progress. */
	async inTurn<Result>(planned: PlannedRequest, task: () => Promise<Result>): Promise<Result> {
		return await this.sequence.run(this.keyOf(planned), task);
	}

	/**
	 * Equal for equal requests, however the number is written, and with spaces around the text. A
	 * message is equal if account, sender, numbers and text are: operation and time do not count.
	 */
	private keyOf({ request: { reaches, path, query, body = {} } }: PlannedRequest): string {
		const whom = (numbersIn(reaches) ?? []).map(personOf);
		const { message } = body;
		const text = typeof message === 'string' ? message.trim() : message;
		const rest =
			reaches.kind === 'messages'
				? body.sender
				: [path.toLowerCase(), query, omit(body, 'phoneNumber', 'message')];
		return digest([JSON.stringify([this.accountKey, whom.sort(), text, rest])]);
	}
}
