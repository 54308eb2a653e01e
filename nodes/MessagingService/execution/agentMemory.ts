import omit from 'lodash/omit';
import type { IExecuteFunctions } from 'n8n-workflow';
import { readNumber } from '../numbers/readNumber';
import type { Operation } from '../resources/operation';
import { digest } from './digest';
import { flowMemory, type FlowMemory, type Known, type Memory } from './memory';
import type { Planned } from './planned';
import { Sequence } from './sequence';

/** The requests of an execution that are in progress, by their digests. */
const inProgress = new WeakMap<object, Sequence>();

/**
 * Keeps an agent from sending an identical message to the same number a second time within one
 * execution, and from making any other identical request that reaches people: also where the first
 * one was only possibly sent, or is in progress, and with another tool.
 *
 * It lives in the context of the execution, which n8n hands to its retries.
 */
export class AgentMemory implements Memory {
	readonly isAgent = true;
	private readonly flow: FlowMemory;
	private readonly account: string;
	private readonly sequence: Sequence;
	private readonly isNeeded: boolean;

	/** @param account what tells the services apart that the tools use */
	constructor(context: IExecuteFunctions, { reachesPeople }: Operation, account: string) {
		this.flow = flowMemory(context);
		this.account = account;
		this.sequence = inProgress.get(this.flow) ?? new Sequence();
		inProgress.set(this.flow, this.sequence);
		this.isNeeded = reachesPeople === true;
	}

	compare(): void {
		// What an agent sends is known by its content, not by its place.
	}

	find(planned: Planned): Known | undefined {
		return this.isNeeded ? this.flow.sentByAgent?.[this.digestOf(planned)] : undefined;
	}

	knowsCall(): boolean {
		return false;
	}

	countOf(): number {
		return 0;
	}

	note(planned: Planned, known: Exclude<Known, { differs: true }>): void {
		if (!this.isNeeded) return;
		this.flow.sentByAgent = { ...this.flow.sentByAgent, [this.digestOf(planned)]: known };
	}

	forget(planned: Planned): void {
		this.flow.sentByAgent = omit(this.flow.sentByAgent, this.digestOf(planned));
	}

	async inTurn<Result>(planned: Planned, task: () => Promise<Result>): Promise<Result> {
		return await this.sequence.run(this.isNeeded ? this.digestOf(planned) : undefined, task);
	}

	clear(): void {
		// An agent may repeat itself as long as the execution lasts.
	}

	/** Equal for the same text to the same number, however it is written, and for equal requests. */
	private digestOf({ request: { path, query, body } }: Planned): string {
		const { phoneNumber, message } = body ?? {};
		const reading = readNumber(phoneNumber, { format: 'international' });
		const content =
			reading.problem === undefined
				? [this.account, path.toLowerCase(), reading.key, String(message as string).trim()]
				: [this.account, path.toLowerCase(), query, body];
		return digest(JSON.stringify(content));
	}
}
