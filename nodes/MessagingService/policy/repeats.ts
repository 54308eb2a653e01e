import { createHash } from 'crypto';
import { readNumber } from '../numbers/readNumber';
import type { ServiceRequest } from '../transport/request';
import { reachOf } from './reach';

/** What a request that reaches people came to. */
export interface Passed {
	response: unknown;
	/** Whether the service gave the response, or why the request was not sent. */
	as: 'sent' | 'simulated' | 'repeated';
}

/** What is kept in the node's context, as plain JSON: no phone number and no text of a request. */
interface Remembered {
	/** The responses to what agents had accepted, by hashes. */
	messagingServiceAgent?: Record<string, unknown>;
}

/** Requests of this process that are in progress, by hashes, for each execution. */
const inProgress = new WeakMap<object, Map<string, Promise<Passed>>>();

/**
 * Keeps an agent from sending an identical message to the same number a second time within one
 * execution, and from making any other identical request that reaches people.
 */
export class AgentRepeats {
	private readonly context: Remembered;
	private readonly account: string;
	private readonly pending: Map<string, Promise<Passed>>;

	/**
	 * @param context the context of the execution: two tools must not send the same message either
	 * @param account what tells the services apart that its tools use
	 */
	constructor(context: object, account: string) {
		this.context = context as Remembered;
		this.account = account;
		this.pending = inProgress.get(context) ?? new Map<string, Promise<Passed>>();
		inProgress.set(context, this.pending);
	}

	/** Whether a request was accepted already. */
	knows(request: ServiceRequest): boolean {
		const { messagingServiceAgent: accepted = {} } = this.context;
		return Object.hasOwn(accepted, hashOf(request, this.account));
	}

	/** Sends a request unless an identical one was accepted; one that is in progress is waited for. */
	async once(request: ServiceRequest, send: () => Promise<Passed>): Promise<Passed> {
		if (reachOf(request).kind === 'nobody') return await send();
		const hash = hashOf(request, this.account);
		for (;;) {
			const { messagingServiceAgent: accepted = {} } = this.context;
			if (Object.hasOwn(accepted, hash)) return { response: accepted[hash], as: 'repeated' };
			const other = this.pending.get(hash);
			if (other === undefined) break;
			await Promise.allSettled([other]);
		}
		const sending = send();
		this.pending.set(hash, sending);
		try {
			const passed = await sending;
			if (passed.as === 'sent') {
				const { messagingServiceAgent: accepted } = this.context;
				this.context.messagingServiceAgent = { ...accepted, [hash]: passed.response };
			}
			return passed;
		} finally {
			this.pending.delete(hash);
		}
	}
}

/** Equal for the same text to the same number, however it is written, and for equal requests. */
function hashOf(request: ServiceRequest, account: string): string {
	const { path, query, body } = request;
	const { phoneNumber, message } = body ?? {};
	const reading = readNumber(phoneNumber, { format: 'international' });
	const content =
		reading.problem === undefined
			? [account, path.toLowerCase(), reading.key, String(message as string).trim()]
			: [account, path.toLowerCase(), query, body];
	return createHash('sha256').update(JSON.stringify(content)).digest('base64').slice(0, 22);
}
