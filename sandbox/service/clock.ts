import { DateTime } from 'luxon';

/** The service's time: the machine's clock plus an offset that the control API can push forward. */
export class Clock {
	#offset = 0;

	/** Milliseconds since 1970. */
	now(): number {
		return Date.now() + this.#offset;
	}

	/** The same as ISO 8601 with UTC designator. */
	nowIso(): string {
		return utcText(this.now());
	}

	/** How far the time has been moved forward, in milliseconds. */
	get offset(): number {
		return this.#offset;
	}

	/** Moves the time forward; it never goes back. */
	advance(milliseconds: number): void {
		this.#offset += Math.max(0, milliseconds);
	}

	/** Back to the machine's clock. */
	reset(): void {
		this.#offset = 0;
	}
}

/** An ISO 8601 datetime with UTC designator. */
export const utcText = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A "datetime without time zone" (interface): the time in the service's zone, without a designator. */
export const localText = (milliseconds: number, timeZone: string): string =>
	timeZone === 'UTC'
		? new Date(milliseconds).toISOString().slice(0, -1)
		: DateTime.fromMillis(milliseconds, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS");

/** The moment of a date (YYYY-MM-DD) and a time (HH:mm) in the service's zone, in milliseconds since 1970. */
export const momentOf = (date: string, time: string, timeZone: string): number =>
	DateTime.fromISO(`${date}T${time}:00`, { zone: timeZone }).toMillis();

/** The day after a date (YYYY-MM-DD). */
export const dayAfter = (date: string): string =>
	DateTime.fromISO(date, { zone: 'UTC' }).plus({ days: 1 }).toFormat('yyyy-MM-dd');
