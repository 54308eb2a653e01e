import { DateTime } from 'luxon';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DESIGNATOR = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Whether a time of day, perhaps behind its date, ends with UTC or an offset from it. */
export function hasDesignator(time: string): boolean {
	return DESIGNATOR.test(time.replace(/^\d{4}-\d{2}-\d{2}/, ''));
}

/**
 * A time of the service, with or without a designator, as milliseconds since 1970; NaN where it is
 * none. One before 1970 (`0001-01-01`) stands for none.
 */
export function momentOf(value: unknown, zone: string): number {
	if (typeof value !== 'string') return NaN;
	const moment = DateTime.fromISO(value.trim().replace(' ', 'T'), { zone }).toMillis();
	return moment >= 0 ? moment : NaN;
}

/** A moment as the service writes it in its lists, e.g. `2030-05-17T09:30:00`. */
export function wallClockOf(moment: number, zone: string): string {
	return DateTime.fromMillis(moment, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
}

/**
 * Whether a time of a list is before a moment, given as `wallClockOf` does. Texts are compared:
 * parsing the times of 100,000 records would take longer than reading them. A time before 1970
 * (`0001-01-01`) stands for none.
 */
export function isBefore(value: unknown, wallClock: string): boolean {
	const time = typeof value === 'string' ? value.trim().replace(' ', 'T') : '';
	return time >= '1970' && time < wallClock;
}

/**
 * Whether a name is that of one time zone. An abbreviation can be that of another place: Luxon takes
 * BST for Bangladesh, EST for a place without summer time, and "local" for the zone of the server.
 */
export function isTimeZone(name: string): boolean {
	return /\/|^(utc|gmt)/i.test(name) && DateTime.utc().setZone(name).isValid;
}
