import { DateTime } from 'luxon';

/** What the clock is set to: the service's time at a moment of real time, and how fast it goes from there. */
export interface ClockSetting {
	/** Real time, in milliseconds since 1970. */
	realAt: number;
	/** The service's time at that moment, in milliseconds since 1970. */
	serviceAt: number;
	/** Service seconds per real second; 0 stops the clock between requests to advance it. */
	rate: number;
}

/** `advancing`: work is left before the time that the clock was set to; `ready`: all of it is done. */
export type ClockStatus = 'advancing' | 'ready';

/**
 * The service's time. It is set to a target, and stays before the earliest work that is not done: what has happened
 * by `now()` can be read, and nothing is added to it later.
 */
export class Clock {
	#setting: ClockSetting;
	readonly #changed: (setting: ClockSetting) => void;
	#openWorkAt = Infinity;
	readonly #holds = new Set<{ at: number }>();
	/** The latest time that anybody has been told. */
	#shown = -Infinity;
	/** The latest moment that a request has been given. */
	#given = -Infinity;

	/** Takes over an earlier setting, if there is one; `changed` is called with every new setting. */
	constructor(
		setting: ClockSetting | undefined,
		changed: (setting: ClockSetting) => void = () => undefined,
	) {
		this.#setting = setting ?? realTime();
		this.#changed = changed;
	}

	/** The service's time, in milliseconds since 1970. */
	now(): number {
		let limit = Math.min(this.target, this.#openWorkAt - 1);
		for (const { at } of this.#holds) limit = Math.min(limit, at - 1);
		this.#shown = Math.max(this.#shown, limit);
		return this.#shown;
	}

	/** `now()` as ISO 8601 with UTC designator. */
	nowIso(): string {
		return utcText(this.now());
	}

	/** The moment at which a request that changes something happens: after every time that has been shown. */
	moment(): number {
		const moment = Math.max(this.#shown + 1, Math.min(this.workLimit, this.#openWorkAt));
		if (moment > this.target) {
			this.#given = moment;
			if (this.rate === 0) this.#set({ ...this.#setting, serviceAt: moment });
		}
		return moment;
	}

	/** The time that the clock goes to as fast as the work allows, in milliseconds since 1970. */
	get target(): number {
		const { realAt, serviceAt, rate } = this.#setting;
		return Math.max(this.#given, Math.floor(serviceAt + (Date.now() - realAt) * rate));
	}

	/** Work up to this moment may be done: the target, unless a request in progress holds the clock. */
	get workLimit(): number {
		let limit = this.target;
		for (const { at } of this.#holds) limit = Math.min(limit, at);
		return limit;
	}

	get status(): ClockStatus {
		return this.#openWorkAt > this.target && this.#holds.size === 0 ? 'ready' : 'advancing';
	}

	get rate(): number {
		return this.#setting.rate;
	}

	/** How far the target is ahead of real time, in milliseconds. */
	get offset(): number {
		return this.target - Date.now();
	}

	/** Moves the target forward. */
	advance(milliseconds: number): void {
		const serviceAt = this.target + Math.max(0, milliseconds);
		this.#set({ ...this.#setting, realAt: Date.now(), serviceAt });
	}

	/** Lets the time go at another rate from now on. */
	setRate(rate: number): void {
		this.#set({ realAt: Date.now(), serviceAt: this.target, rate });
	}

	/** Back to real time. */
	reset(): void {
		this.#shown = -Infinity;
		this.#given = -Infinity;
		this.#openWorkAt = Infinity;
		this.#holds.clear();
		this.#set(realTime());
	}

	/** Takes note of the moment of the earliest work that is not done. */
	openWork(moment: number): void {
		this.#openWorkAt = moment;
	}

	/** Stops the time for a request whose work takes several steps; returns what ends that. */
	hold(): () => void {
		const hold = { at: this.moment() };
		this.#holds.add(hold);
		return () => void this.#holds.delete(hold);
	}

	#set(setting: ClockSetting): void {
		this.#setting = setting;
		this.#changed(setting);
	}
}

const realTime = (): ClockSetting => {
	const now = Date.now();
	return { realAt: now, serviceAt: now, rate: 1 };
};

/** An ISO 8601 datetime with UTC designator. */
export const utcText = (milliseconds: number): string => new Date(milliseconds).toISOString();

// Offsets change at whole quarters of an hour only, and many times are written within one.
const quarter = 900_000;
let known = { timeZone: 'UTC', quarter: 0, offset: 0 };

const offsetOf = (milliseconds: number, timeZone: string): number => {
	const at = Math.floor(milliseconds / quarter);
	if (known.quarter !== at || known.timeZone !== timeZone) {
		const { offset } = DateTime.fromMillis(milliseconds, { zone: timeZone });
		known = { timeZone, quarter: at, offset: offset * 60_000 };
	}
	return known.offset;
};

/** A "datetime without time zone" (interface): the time in the service's zone, without a designator. */
export const localText = (milliseconds: number, timeZone: string): string =>
	new Date(milliseconds + offsetOf(milliseconds, timeZone)).toISOString().slice(0, -1);

/** The moment of a date (YYYY-MM-DD) and a time (HH:mm) in the service's zone, in milliseconds since 1970. */
export const momentOf = (date: string, time: string, timeZone: string): number =>
	DateTime.fromISO(`${date}T${time}:00`, { zone: timeZone }).toMillis();

/** The day after a date (YYYY-MM-DD). */
export const dayAfter = (date: string): string =>
	DateTime.fromISO(date, { zone: 'UTC' }).plus({ days: 1 }).toFormat('yyyy-MM-dd');
