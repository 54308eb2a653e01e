import { pause } from './retry';

/** Limits on the requests of one run. */
export interface PaceLimits {
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

/**
 * Starts the requests of one run in their order: only so many in progress, only so many a second,
 * and none while the service wants a pause.
 */
export class Pace {
	private readonly limits: PaceLimits;
	private readonly maxPauseMs: number;
	private readonly signal: AbortSignal | undefined;
	private running = 0;
	private readonly waiting: (() => void)[] = [];
	/** When the service's pause is over. */
	private pausedUntil = 0;
	/** When the rate allows the next start. */
	private nextStart = 0;
	/** Settles when the request before has started. */
	private previous: Promise<unknown> = Promise.resolve();

	/**
	 * @param maxPauseMs a request that would have to wait longer for the service's pause fails
	 * @param signal ends all waits
	 */
	constructor(limits: PaceLimits, maxPauseMs: number, signal?: AbortSignal) {
		this.limits = limits;
		this.maxPauseMs = maxPauseMs;
		this.signal = signal;
	}

	/** Nothing starts for this long: the service asked for a pause, which concerns all requests. */
	holdFor(milliseconds: number) {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
	}

	/**
	 * Runs a request when its turn has come.
	 * @throws PauseTooLong
	 */
	async run<Result>(request: () => Promise<Result>): Promise<Result> {
		await this.enter();
		try {
			const turn = this.previous.then(async () => await this.start());
			this.previous = turn.catch(() => undefined);
			await turn;
			return await request();
		} finally {
			this.running--;
			this.waiting.shift()?.();
		}
	}

	private async enter() {
		while (this.running >= this.limits.concurrency) {
			await new Promise<void>((resolve) => {
				this.waiting.push(resolve);
			});
		}
		this.running++;
	}

	/** Waits until both the service and the rate allow a start. */
	private async start() {
		for (;;) {
			// A request that was never made has certainly not been sent.
			if (this.signal?.aborted === true) throw new Error('The execution was canceled');
			const now = Date.now();
			if (this.pausedUntil - now > this.maxPauseMs) throw new PauseTooLong(this.pausedUntil - now);
			const delay = Math.max(this.pausedUntil, this.nextStart) - now;
			if (delay <= 0) break;
			// The service may ask for a pause meanwhile: then it goes on.
			await pause(delay, this.signal);
		}
		const { requestsPerSecond } = this.limits;
		if (requestsPerSecond > 0) this.nextStart = Date.now() + 1000 / requestsPerSecond;
	}
}
