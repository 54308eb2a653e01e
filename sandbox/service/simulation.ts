import { setImmediate as breathe } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Something that has to happen when the service's clock reaches a certain moment. */
export interface TimedWork {
	/** The earliest moment of open work, in milliseconds since 1970. */
	nextDue(): number | undefined;
	/** Does some of the work that is due by then, the earliest first. */
	runDue(now: number): void;
}

const longestTimer = 2 ** 31 - 1;

/** Does all timed work as the service's clock reaches it, in small steps so that requests are answered meanwhile. */
export class Simulation {
	readonly #clock: Clock;
	readonly #works: TimedWork[];
	#running: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;
	#stopped = false;

	constructor(clock: Clock, works: TimedWork[]) {
		this.#clock = clock;
		this.#works = works;
	}

	/** Runs due work soon, after whatever runs now (an answer, for example). */
	wake(): void {
		setImmediate(() => void this.run());
	}

	/** Runs all work that is due by now; resolves when none is left. */
	async run(): Promise<void> {
		while (this.#hasDue()) {
			this.#running ??= this.#runAll().finally(() => (this.#running = undefined));
			await this.#running;
		}
		this.#schedule();
	}

	/** Whether work is due that is not done yet. */
	get isBusy(): boolean {
		return this.#running !== undefined || this.#hasDue();
	}

	/** The earliest moment of open work, in milliseconds since 1970. */
	get nextDue(): number | undefined {
		const moments = this.#works
			.map((work) => work.nextDue())
			.filter((due): due is number => due !== undefined);
		return moments.length === 0 ? undefined : Math.min(...moments);
	}

	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	async #runAll(): Promise<void> {
		for (;;) {
			const work = this.#stopped ? undefined : this.#earliest();
			if (!work) return;
			work.runDue(this.#clock.now());
			await breathe();
		}
	}

	#earliest(): TimedWork | undefined {
		let earliest: TimedWork | undefined;
		let moment = this.#clock.now();
		for (const work of this.#works) {
			const due = work.nextDue();
			if (due === undefined || due > moment) continue;
			moment = due;
			earliest = work;
		}
		return earliest;
	}

	#hasDue(): boolean {
		return !this.#stopped && this.#earliest() !== undefined;
	}

	#schedule(): void {
		clearTimeout(this.#timer);
		if (this.#stopped) return;
		const due = this.nextDue;
		if (due === undefined) return;
		const wait = Math.max(0, due - this.#clock.now());
		this.#timer = setTimeout(() => void this.run(), Math.min(longestTimer, wait));
	}
}
