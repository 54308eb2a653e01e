import { DateTime } from 'luxon';
import type { Database } from './database.ts';
import { problem } from './errors.ts';

/** Something that has to happen when the service's clock reaches a certain moment. */
export interface TimedWork {
	/** The earliest moment of open work, in milliseconds since 1970. */
	nextDue(): number | undefined;
	/** Does all work that is due by that moment. */
	run(moment: number): void;
}

const longestTimer = 2 ** 31 - 1;

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The service's time. On its way to the present it goes from moment to moment and does the work of each: what has
 * happened by `now()` can be read, and nothing is added to it later.
 */
export class Clock {
	readonly #database: Database;
	#works: TimedWork[] = [];
	/** How far it is ahead of real time, in milliseconds. */
	#ahead: number;
	#now: number;
	#timer: NodeJS.Timeout | undefined;
	#isWoken = false;
	#isStopped = false;

	/** Continues as far ahead of real time as the store has kept it. */
	constructor(database: Database) {
		this.#database = database;
		this.#ahead = database.readState<number>('ahead') ?? 0;
		this.#now = Date.now() + this.#ahead;
	}

	/** What happens as time passes; the work of a moment is done in this order. */
	start(works: TimedWork[]): void {
		this.#works = works;
		this.wake();
	}

	/** The service's time, in milliseconds since 1970. */
	now(): number {
		return this.#now;
	}

	/** `now()` as ISO 8601 with UTC designator. */
	nowIso(): string {
		return utcText(this.#now);
	}

	/** The earliest moment of open work, in milliseconds since 1970. */
	get nextDue(): number | undefined {
		const due = this.#earliest();
		return due === Infinity ? undefined : due;
	}

	/** The moment at which a request that changes something happens: after every time that has been shown. */
	moment(): number {
		this.#now += 1;
		return this.#now;
	}

	/** Advances to a moment, and does all work that is due by then. */
	goTo(moment: number): void {
		if (moment > lastMoment) throw problem(400, 'The time ends with the year 9999.');
		this.#ahead = Math.max(moment, this.#present()) - Date.now();
		this.#database.writeState('ahead', this.#ahead);
		this.catchUp();
	}

	/** Goes to the present, moment by moment. */
	catchUp(): void {
		if (this.#isStopped) return;
		const present = this.#present();
		this.#database.transaction(() => {
			for (let due = this.#earliest(); due <= present; due = this.#earliest()) {
				for (const work of this.#works) work.run(due);
				this.#now = Math.max(this.#now, due);
			}
		});
		this.#now = present;
		this.#schedule();
	}

	/** Takes note of new work, and does it after what runs now (a response, for example). */
	wake(): void {
		if (this.#isWoken) return;
		this.#isWoken = true;
		setImmediate(() => {
			this.#isWoken = false;
			this.catchUp();
		});
	}

	/** Back to real time. */
	reset(): void {
		this.#ahead = 0;
		this.#now = Date.now();
	}

	stop(): void {
		this.#isStopped = true;
		clearTimeout(this.#timer);
	}

	/** The service's time that has come, in milliseconds since 1970. */
	#present(): number {
		return Math.max(this.#now, Date.now() + this.#ahead);
	}

	#earliest(): number {
		return Math.min(...this.#works.map((work) => work.nextDue() ?? Infinity));
	}

	#schedule(): void {
		clearTimeout(this.#timer);
		const wait = this.#earliest() - this.#now;
		if (wait === Infinity) return;
		this.#timer = setTimeout(() => this.catchUp(), Math.min(longestTimer, Math.max(1, wait)));
	}
}

/** An ISO 8601 datetime with UTC designator. */
export const utcText = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A "datetime without time zone" (interface): the time in the service's zone, without a designator. */
export const localText = (milliseconds: number, timeZone: string): string =>
	DateTime.fromMillis(milliseconds, { zone: timeZone }).toISO({ includeOffset: false }) ?? '';

/** The moment of a date (YYYY-MM-DD) and a time (HH:mm) in the service's zone, in milliseconds since 1970. */
export const momentOf = (date: string, time: string, timeZone: string): number =>
	DateTime.fromISO(`${date}T${time}:00`, { zone: timeZone }).toMillis();

/** The day after a date (YYYY-MM-DD). */
export const dayAfter = (date: string): string =>
	DateTime.fromISO(date, { zone: 'UTC' }).plus({ days: 1 }).toFormat('yyyy-MM-dd');
