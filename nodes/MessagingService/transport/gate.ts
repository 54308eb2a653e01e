import { sleep } from 'n8n-workflow';
import type { Failure, TryResult } from './errors';

/** A service that asks for more, perhaps by mistake, is asked again. */
const LONGEST_PAUSE_MS = 3_600_000;

/** While n8n waits, it looks so often whether the execution was canceled. */
const CANCEL_CHECK_MS = 500;

/** How many requests there may be. */
export interface Limits {
	/** Maximum number of requests in progress. */
	concurrency: number;
	/** Maximum number of requests started in a second; 0 for as fast as possible. */
	requestsPerSecond: number;
}

/** How one request waits for its start. */
export interface Waiting {
	limits: Limits;
	/** If the service's pause takes longer, the request fails. */
	maxPauseMs: number;
	/** Ends the wait. */
	signal: AbortSignal | undefined;
}

/** The failure of a request whose execution was canceled before its turn. */
const CANCELED: Failure = {
	message: 'The execution was canceled before the request was sent',
	description: 'This request was not sent.',
	sent: 'no',
};

/** Waits, until the execution is canceled at most. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = Date.now() + milliseconds;
	for (let rest = milliseconds; rest > 0 && signal?.aborted !== true; rest = end - Date.now()) {
		await sleep(Math.min(rest, CANCEL_CHECK_MS));
	}
}

/**
 * Starts the requests of an account in their order: only so many in progress, only so many a second,
 * and none while the service wants a pause.
 */
export class Gate {
	private running = 0;
	/** The turn of the last request in the queue. */
	private lastTurn: Promise<unknown> = Promise.resolve();
	/** When the service's pause is over. */
	private pausedUntil = 0;
	/** When the rate allows the next start. */
	private nextStart = 0;
	/** Tells the first in the queue that a request has ended. */
	private wake: (() => void) | undefined;

	/**
	 * Nothing starts for this long, an hour at most: the service asked for a pause, which concerns all
	 * requests.
	 */
	holdFor(milliseconds: number): void {
		const pauseMs = Math.min(milliseconds, LONGEST_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pauseMs);
	}

	/** Runs a request when its turn has come, unless it cannot wait for that. */
	async run(request: () => Promise<TryResult>, waiting: Waiting): Promise<TryResult> {
		const refusal = this.refusalOf(waiting);
		if (refusal !== undefined) return { failure: refusal };
		const turn = this.lastTurn.then(async () => await this.enter(waiting));
		this.lastTurn = turn;
		const failure = await turn;
		if (failure !== undefined) return { failure };
		try {
			return await request();
		} finally {
			this.running--;
			this.wake?.();
		}
	}

	/** Waits for the start of a request. */
	private async enter(waiting: Waiting): Promise<Failure | undefined> {
		const { limits, signal } = waiting;
		for (;;) {
			const refusal = this.refusalOf(waiting);
			if (refusal !== undefined) return refusal;
			const delay = Math.max(this.pausedUntil, this.nextStart) - Date.now();
			if (this.running >= limits.concurrency) {
				await new Promise<void>((resolve) => (this.wake = resolve));
			} else if (delay > 0) {
				// The service may ask for a pause meanwhile: then it goes on.
				await pause(delay, signal);
			} else {
				break;
			}
		}
		this.running++;
		if (limits.requestsPerSecond > 0) {
			this.nextStart = Date.now() + 1000 / limits.requestsPerSecond;
		}
		return undefined;
	}

	/** Why a request cannot wait any longer. */
	private refusalOf({ maxPauseMs, signal }: Waiting): Failure | undefined {
		if (signal?.aborted === true) return CANCELED;
		const pauseMs = this.pausedUntil - Date.now();
		if (pauseMs <= maxPauseMs) return undefined;
		return {
			message: `The service asked for a pause of ${Math.ceil(pauseMs / 1000)} s`,
			description:
				'n8n does not wait that long, so this request was not sent. Try again after the pause.',
			sent: 'no',
		};
	}
}

const gates = new Map<string, Gate>();

/**
 * The gate of an account: all nodes and workflows of this process that use the account share it.
 * @param account what tells it from others
 */
export function gateOf(account: string): Gate {
	const gate = gates.get(account) ?? new Gate();
	gates.set(account, gate);
	return gate;
}
