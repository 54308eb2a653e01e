import { onAbort } from './onAbort';
import { pause } from './retry';

/** How many requests there may be. */
export interface Limits {
	/** Maximum number of requests in progress. */
	concurrency: number;
	/** Maximum number of requests started in a second; 0 for as fast as possible. */
	requestsPerSecond: number;
}

/** The service asked for a pause that is longer than a request may wait. */
export class PauseTooLong extends Error {
	readonly milliseconds: number;

	constructor(milliseconds: number) {
		super('The service asked for a long pause');
		this.name = 'PauseTooLong';
		this.milliseconds = milliseconds;
	}
}

/** How one request waits for its start. */
export interface Waiting {
	limits: Limits;
	/** If the service's pause takes longer, the request fails. */
	maxPauseMs: number;
	/** Ends the wait. */
	signal: AbortSignal | undefined;
}

/**
 * Starts requests in their order: only so many in progress, only so many a second, and none while
 * the service wants a pause.
 */
export class Gate {
	private running = 0;
	/** The requests that wait, in their order: each with what makes it look again. */
	private readonly queue: { wake?: () => void }[] = [];
	/** When the service's pause is over. */
	private pausedUntil = 0;
	/** When the rate allows the next start. */
	private nextStart = 0;

	/** Nothing starts for this long: the service asked for a pause, which concerns all requests. */
	holdFor(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
	}

	/**
	 * Runs a request when its turn has come.
	 * @throws PauseTooLong
	 */
	async run<Result>(request: () => Promise<Result>, waiting: Waiting): Promise<Result> {
		await this.enter(waiting);
		try {
			return await request();
		} finally {
			this.running--;
			this.wakeFirst();
		}
	}

	private async enter({ limits, maxPauseMs, signal }: Waiting): Promise<void> {
		const { concurrency, requestsPerSecond } = limits;
		const place = {};
		this.queue.push(place);
		try {
			for (;;) {
				// A request that was never made has certainly not been sent.
				if (signal?.aborted === true) throw new Error('The execution was canceled');
				const now = Date.now();
				if (this.pausedUntil - now > maxPauseMs) throw new PauseTooLong(this.pausedUntil - now);
				if (this.queue[0] !== place || this.running >= concurrency) {
					await woken(place, signal);
					continue;
				}
				const delay = Math.max(this.pausedUntil, this.nextStart) - now;
				if (delay <= 0) break;
				// The service may ask for a pause meanwhile: then it goes on.
				await pause(delay, signal);
			}
			this.running++;
			if (requestsPerSecond > 0) this.nextStart = Date.now() + 1000 / requestsPerSecond;
		} finally {
			this.queue.splice(this.queue.indexOf(place), 1);
			this.wakeFirst();
		}
	}

	private wakeFirst(): void {
		this.queue[0]?.wake?.();
	}
}

/** Waits until a request is woken, or cancelled. */
async function woken(place: { wake?: () => void }, signal: AbortSignal | undefined): Promise<void> {
	let forget: (() => void) | undefined;
	await new Promise<void>((resolve) => {
		place.wake = resolve;
		forget = signal === undefined ? undefined : onAbort(signal, resolve);
	});
	forget?.();
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
