import { pause } from './retry';

/** Limits on the requests of one run. */
export interface PaceLimits {
	/** Most requests under way at the same time. */
	requestsAtOnce: number;
	/** Most requests begun in a second; 0 for as fast as possible. */
	requestsPerSecond: number;
}

/**
 * Lets the requests of one run through: only so many at once, only so many a second, and none while
 * the service wants a break.
 */
export class Pace {
	private readonly limits: PaceLimits;
	private readonly signal: AbortSignal | undefined;
	private underWay = 0;
	private readonly waiting: (() => void)[] = [];
	private nextStart = 0;

	constructor(limits: PaceLimits, signal?: AbortSignal) {
		this.limits = limits;
		this.signal = signal;
	}

	/** Nothing starts for this long: the service asked for a break, which concerns all requests. */
	holdFor(milliseconds: number) {
		this.nextStart = Math.max(this.nextStart, Date.now() + milliseconds);
	}

	/** Runs a request when its turn has come. */
	async run<Result>(request: () => Promise<Result>): Promise<Result> {
		await this.enter();
		try {
			await this.awaitStart();
			return await request();
		} finally {
			this.underWay--;
			this.waiting.shift()?.();
		}
	}

	private async enter() {
		while (this.underWay >= this.limits.requestsAtOnce) {
			await new Promise<void>((resolve) => {
				this.waiting.push(resolve);
			});
		}
		this.underWay++;
	}

	private async awaitStart() {
		const { requestsPerSecond } = this.limits;
		for (;;) {
			const delay = this.nextStart - Date.now();
			if (delay <= 0) break;
			if (requestsPerSecond === 0) {
				await pause(delay, this.signal);
				continue;
			}
			// Each takes the next place in the row, so that they start evenly.
			this.nextStart += 1000 / requestsPerSecond;
			await pause(delay, this.signal);
			return;
		}
		if (requestsPerSecond > 0) this.nextStart = Date.now() + 1000 / requestsPerSecond;
	}
}
