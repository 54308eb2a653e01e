import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Something that has to happen when the service's clock reaches a certain moment. */
export interface TimedWork {
	/** The earliest moment of open work, in milliseconds since 1970. */
	nextDue(): number | undefined;
	/**
	 * Does some of the work that is due by then, the earliest first. It stops before work that is later than
	 * anything it has newly made due, and between two moments rather than within one.
	 */
	runDue(until: number): void;
}

/** How many entries of work are done in one step: little enough that requests do not wait for it. */
export const stepSize = 500;

/**
 * The entries to do in one step out of those that are due, the earliest first (up to `stepSize + 1`): all of a
 * moment or nothing of it, as long as a moment fits into a step.
 */
export const wholeMoments = <Entry>(due: Entry[], momentOf: (entry: Entry) => number): Entry[] => {
	const next = due[stepSize];
	const [first] = due;
	if (next === undefined || first === undefined) return due;
	const cut = momentOf(next);
	return momentOf(first) === cut
		? due.slice(0, stepSize)
		: due.filter((entry) => momentOf(entry) < cut);
};

const longestTimer = 2 ** 31 - 1;

/** Does all timed work in the order of time, and lets the clock go on as it is done. */
export class Simulation {
	readonly #clock: Clock;
	readonly #works: TimedWork[];
	readonly #gate: () => Promise<void> | undefined;
	#running: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** The moment whose events the clock waits for. */
	#gatedAt: number | undefined;
	#isWoken = false;
	#stopped = false;

	/** `gate` is asked before each step: where it returns a promise, the clock waits for it after each moment. */
	constructor(clock: Clock, works: TimedWork[], gate: () => Promise<void> | undefined) {
		this.#clock = clock;
		this.#works = works;
		this.#gate = gate;
	}

	/** Takes note of new work, and does it soon, after what runs now (a response, for example). */
	wake(): void {
		this.#showOpenWork();
		if (this.#isWoken) return;
		this.#isWoken = true;
		setImmediate(() => {
			this.#isWoken = false;
			void this.run();
		});
	}

	/** Resolves when the clock has reached its present target: all work up to there is done. */
	async run(): Promise<void> {
		const { target } = this.#clock;
		while (!this.#stopped && this.#isDue(target)) {
			if (this.#clock.workLimit < target) await pause(5);
			this.#running ??= this.#runAll().finally(() => (this.#running = undefined));
			await this.#running;
		}
		this.#schedule();
	}

	/** Whether work is due that is not done yet. */
	get isBusy(): boolean {
		return this.#running !== undefined || (!this.#stopped && this.#isDue(this.#clock.target));
	}

	/** The earliest moment of open work, in milliseconds since 1970. */
	get nextDue(): number | undefined {
		const { due } = this.#earliest();
		return due === Infinity ? undefined : due;
	}

	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	async #runAll(): Promise<void> {
		for (;;) {
			const gate = this.#gate();
			if (gate) await gate;
			if (this.#stopped) return;
			const { work, due, others } = this.#earliest();
			this.#gatedAt = undefined;
			this.#clock.openWork(due);
			const limit = this.#clock.workLimit;
			if (!work || due > limit) return;
			work.runDue(gate ? due : Math.min(limit, others));
			if (gate) this.#gatedAt = due;
			this.#showOpenWork();
			await breathe();
		}
	}

	#showOpenWork(): void {
		this.#clock.openWork(this.#gatedAt === undefined ? this.#earliest().due : this.#gatedAt + 1);
	}

	/** The work that comes first, its moment, and the first moment of all other work. */
	#earliest(): { work: TimedWork | undefined; due: number; others: number } {
		let work: TimedWork | undefined;
		let due = Infinity;
		let others = Infinity;
		for (const candidate of this.#works) {
			const moment = candidate.nextDue() ?? Infinity;
			if (moment < due) {
				others = due;
				due = moment;
				work = candidate;
			} else others = Math.min(others, moment);
		}
		return { work, due, others };
	}

	#isDue(moment: number): boolean {
		return this.#earliest().due <= moment;
	}

	#schedule(): void {
		clearTimeout(this.#timer);
		const { nextDue: due } = this;
		if (this.#stopped || due === undefined || this.#clock.rate === 0) return;
		const wait = Math.ceil(Math.max(0, due - this.#clock.target) / this.#clock.rate);
		this.#timer = setTimeout(() => void this.run(), Math.min(longestTimer, wait));
	}
}
