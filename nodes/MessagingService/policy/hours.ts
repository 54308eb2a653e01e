import { DateTime } from 'luxon';
import { MINUTE_MS } from '../times';

/** When messages and calls may reach people, by the wall clock of a time zone. */
export interface SendingHours {
	/** Minutes after midnight from which it is allowed, 0 to 1439. */
	from: number;
	/** Minutes after midnight up to which it is allowed, that minute excluded; 1 to 1440. */
	to: number;
	/** Days of the week on which it is allowed: 1 (Monday) to 7 (Sunday). */
	days: ReadonlySet<number>;
}

export const DAY_NAMES = [
	'Monday',
	'Tuesday',
	'Wednesday',
	'Thursday',
	'Friday',
	'Saturday',
	'Sunday',
];

function timeText(minutes: number): string {
	const two = (number: number) => String(number).padStart(2, '0');
	return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The sending hours in words: "09:00 to 20:00 on Monday, Tuesday". */
export function hoursText({ from, to, days }: SendingHours): string {
	const names = DAY_NAMES.filter((_, index) => days.has(index + 1));
	const onDays = names.length === DAY_NAMES.length ? 'every day' : `on ${names.join(', ')}`;
	return `${timeText(from)} to ${timeText(to)} ${onDays}`;
}

/** All time zones are whole quarters of an hour apart, and change their clocks at one. */
const QUARTER = 15 * MINUTE_MS;
const QUARTERS_A_DAY = 96;

/** A week later the same hours come again; a change of the clock can cost one of its days. */
const DAYS_AHEAD = 15;

function isWithin({ from, to, days }: SendingHours, instant: number, zone: string): boolean {
	const { hour, minute, weekday } = DateTime.fromMillis(instant, { zone });
	const minutes = hour * 60 + minute;
	return days.has(weekday) && minutes >= from && minutes < to;
}

/**
 * The first instant, this one or later, that is allowed in all of the zones.
 * @returns milliseconds since 1970; undefined where the zones have no allowed time in common
 */
export function nextAllowed(
	hours: SendingHours,
	zones: readonly string[],
	instant: number,
): number | undefined {
	const isAllowed = (time: number) => zones.every((zone) => isWithin(hours, time, zone));
	if (isAllowed(instant)) return instant;
	// In any zone, the allowed time starts when the clock shows `from`, or when it is changed.
	const first = Math.floor(instant / QUARTER) * QUARTER;
	const starts = [0, (hours.from % 15) * MINUTE_MS];
	for (let quarter = 0; quarter < DAYS_AHEAD * QUARTERS_A_DAY; quarter++) {
		for (const start of starts) {
			const candidate = first + quarter * QUARTER + start;
			if (candidate > instant && isAllowed(candidate)) return candidate;
		}
	}
	return undefined;
}

/**
 * Whether all of a window of one day is allowed in all of the zones.
 * @param start first instant of the window
 * @param end instant behind its last
 */
export function isWindowAllowed(
	hours: SendingHours,
	zones: readonly string[],
	start: number,
	end: number,
): boolean {
	const last = end - MINUTE_MS;
	return zones.every((zone) => {
		const day = DateTime.fromMillis(start, { zone });
		const isOneDay = day.hasSame(DateTime.fromMillis(last, { zone }), 'day');
		return isOneDay && isWithin(hours, start, zone) && isWithin(hours, last, zone);
	});
}
