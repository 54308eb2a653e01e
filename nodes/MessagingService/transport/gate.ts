import { canceled, NotSent, pause, until } from './waits';

/** A service that asks for more, perhaps by mistake, is asked again. */
const LONGEST_PAUSE_MS = 3_600_000;

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

/**
 * Starts the requests of an account in their order: only so many in progress, only so many a second,
 * and none while the service wants a pause.
 */
export class Gate {
	private running = 0;
	/** The requests that wait, in their order: each with what makes it look again. */
	private readonly queue: { wake?: () => void }[] = [];
	/** When the service's pause is over. */
	private pausedUntil = 0;
	/** When the rate allows the next start. */
	private nextStart = 0;

	/**
	 * Nothing starts for this long, an hour at most: the service asked for a pause, which concerns all
	 * requests.
	 */
	holdFor(milliseconds: number): void {
		const pauseMs = Math.min(milliseconds, LONGEST_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pauseMs);
	}

	/**
	 * Runs a request when its turn has come.
	 * @throws NotSent
	 */
	async run<Result>(request: () => Promise<Result>, waiting: Waiting): Promise<Result> {
		await this.enter(waiting);
		try {
			return await request();
		} finally {
			this.running--;
			this.queue[0]?.wake?.();
		}
	}

	private async enter({ limits, maxPauseMs, signal }: Waiting): Promise<void> {
		const place: { wake?: () => void } = {};
		this.queue.push(place);
		try {
			for (;;) {
				if (signal?.aborted === true) throw canceled();
				const now = Date.now();
				if (this.pausedUntil - now > maxPauseMs) throw pauseTooLong(this.pausedUntil - now);
				const delay = Math.max(this.pausedUntil, this.nextStart) - now;
				if (this.queue[0] !== place || this.running >= limits.concurrency) {
					await until((end) => (place.wake = end), signal);
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
		} finally {
			this.queue.splice(this.queue.indexOf(place), 1);
			this.queue[0]?.wake?.();
		}
	}
}

function pauseTooLong(milliseconds: number): NotSent {
	return new NotSent(
		`The service asked for a pause of ${Math.ceil(milliseconds / 1000)} s`,
		'n8n does not wait that long, so this request was not sent. Try again after the pause.',
	);
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
