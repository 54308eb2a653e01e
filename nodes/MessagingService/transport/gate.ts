import { sleep } from 'n8n-workflow';
import { Failure } from '../failure';
import { HOUR_MS } from '../times';
import type { AccountLimits } from './settings';

/** A longer pause may be a mistake of the service: after this time, a request is tried. */
const LONGEST_PAUSE_MS = HOUR_MS;

/** How long a request waits for a pause of the service to end, and between all of its tries. */
export const MAX_WAIT_MS = 300_000;

/** How often a waiting request looks whether it was canceled, or is too late. */
const CHECK_MS = 500;

/** How one request waits for its start. */
export interface Waiting {
	limits: Pick<AccountLimits, 'concurrency' | 'requestsPerSecond'>;
	/** When it must have started, in milliseconds since 1970. */
	latestStart: number;
	/** Whether somebody waits for it in the editor: then it is next. */
	isNext: boolean;
	/** Ends the wait. */
	signal: AbortSignal | undefined;
}

/** A request that waits until it takes its turn, or is told why it cannot start. */
interface Turn extends Waiting {
	take(failure: Failure | undefined): void;
}

/** Of a request whose execution was canceled before its turn. */
const canceledBeforeTurn = () =>
	new Failure(
		'The execution was canceled before the request was sent',
		'This request was not sent.',
	);

/** Waits, until the execution is canceled at most. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = Date.now() + milliseconds;
	for (let rest = milliseconds; rest > 0 && signal?.aborted !== true; rest = end - Date.now()) {
		await sleep(Math.min(rest, CHECK_MS));
	}
}

/**
 * Starts the requests of an account: only so many in progress, only so many a second, and none
 * while the service wants a pause. One that somebody waits for goes to the front, or behind the first
 * one where the last start was such a one, too; the others come in their order.
 */
export class Gate {
	private running = 0;
	/** When the service's pause is over. */
	private pausedUntil = 0;
	/** When the rate allows the next start. */
	private nextStart = 0;
	/** Whether somebody waited for the request that was started last. */
	private wasNext = false;
	/** The requests that wait, the next one first. */
	private readonly line: Turn[] = [];
	/** Makes the gate look again; undefined while nobody waits. */
	private wake: (() => void) | undefined;

	/**
	 * Nothing starts for this long, an hour at most: the service asked for a pause, which concerns all
	 * requests.
	 */
	holdFor(milliseconds: number): void {
		const pauseMs = Math.min(milliseconds, LONGEST_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pauseMs);
	}

	/** Runs a request when its turn has come. @throws Failure where it cannot wait for that */
	async run<Value>(request: () => Promise<Value>, waiting: Waiting): Promise<Value> {
		const failure = this.refusalOf(waiting) ?? (await this.turnOf(waiting));
		if (failure !== undefined) throw failure;
		try {
			return await request();
		} finally {
			this.running--;
			this.wake?.();
		}
	}

	/** Waits for the start of a request: why it cannot start, if so. */
	private async turnOf(waiting: Waiting): Promise<Failure | undefined> {
		return await new Promise((take) => {
			const turn = { ...waiting, take };
			// After one that was next, another request has its turn.
			const firstPlace = this.wasNext ? 1 : 0;
			this.line.splice(waiting.isNext ? firstPlace : this.line.length, 0, turn);
			if (this.wake === undefined) void this.serve();
			else this.wake();
		});
	}

	/** Starts the requests that wait, until there are none. */
	private async serve(): Promise<void> {
		for (let [turn] = this.line; turn !== undefined; [turn] = this.line) {
			const failure = this.refusalOf(turn);
			const delay = Math.max(this.pausedUntil, this.nextStart) - Date.now();
			if (failure === undefined && (this.isFull(turn) || delay > 0)) {
				await this.change(turn, delay);
				continue;
			}
			this.line.shift();
			if (failure === undefined) this.noteStart(turn);
			turn.take(failure);
		}
		this.wake = undefined;
	}

	private isFull({ limits }: Waiting): boolean {
		return this.running >= limits.concurrency;
	}

	private noteStart({ limits: { requestsPerSecond }, isNext }: Waiting): void {
		this.running++;
		this.wasNext = isNext;
		if (requestsPerSecond > 0) this.nextStart = Date.now() + 1000 / requestsPerSecond;
	}

	/** Waits until the first request may be able to start, another one comes, or time has passed. */
	private async change(turn: Turn, delay: number): Promise<void> {
		const woken = new Promise<void>((resolve) => (this.wake = resolve));
		const isUntilEnd = this.isFull(turn) && turn.latestStart === Infinity;
		const timeMs = delay > 0 ? Math.min(delay, CHECK_MS) : CHECK_MS;
		await (isUntilEnd ? woken : Promise.race([woken, sleep(timeMs)]));
	}

	/** Why a request cannot wait any longer. */
	private refusalOf(waiting: Waiting): Failure | undefined {
		const { latestStart, signal } = waiting;
		if (signal?.aborted === true) return canceledBeforeTurn();
		const now = Date.now();
		const pauseMs = this.pausedUntil - now;
		if (pauseMs > 0 && pauseMs > Math.min(MAX_WAIT_MS, latestStart - now)) {
			return new Failure(
				`The service asked for a pause of ${Math.ceil(pauseMs / 1000)} s`,
				'n8n does not wait that long, so this request was not sent. Try again after the pause.',
			);
		}
		if (Math.max(now, this.nextStart) <= latestStart) return undefined;
		const limit = this.isFull(waiting) ? 'Max Concurrent Requests' : 'Requests per Second';
		return new Failure(
			`${limit} left no turn for this request in time`,
			`Other requests of this account are in progress or come first, so this request was not sent. Try again later, or raise ${limit} in the credential if the service allows more.`,
		);
	}
}

const gates = new Map<string, Gate>();

/**
 * The gate of an account: all nodes and workflows of this process that use the account share it.
 * @param accountKey what tells it from others, without secrets
 */
export function gateOf(accountKey: string): Gate {
	const gate = gates.get(accountKey) ?? new Gate();
	gates.set(accountKey, gate);
	return gate;
}
