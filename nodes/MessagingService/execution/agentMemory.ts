import { omit } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { readNumber } from '../numbers/readNumber';
import { numbersIn } from '../reach';
import { digest, type Planned } from './job';
import type { Sending } from './sentRecord';
import { Sequence } from '../transport/sequence';

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
	 * Equal for equal requests, however the number is written, and with spaces around the text. Of a
	 * message, neither the time nor the names of those whom it reaches make another one.
	 */
	private keyOf({ request: { reaches, path, query, body = {} } }: Planned): string {
		const whom = (numbersIn(reaches) ?? []).map((number) => {
			const reading = readNumber(number, { format: 'international' });
			return reading.problem === undefined ? reading.key : number;
		});
		const { message, ...others } = omit(body, 'phoneNumber');
		const text = typeof message === 'string' ? message.trim() : message;
		const rest = reaches.kind === 'messages' ? body.sender : others;
		const endpoint = path.toLowerCase();
		return digest([JSON.stringify([this.account, endpoint, query, whom.sort(), text, rest])]);
	}
}
