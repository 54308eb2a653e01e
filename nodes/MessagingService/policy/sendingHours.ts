import { DateTime } from 'luxon';

/** When messages and calls may reach people, by the wall clock of a time zone. */
export interface SendingHours {
	/** Minutes after midnight from which it is allowed, 0 to 1439. */
	from: number;
	/** Minutes after midnight up to which it is allowed, that minute excluded; 1 to 1440. */
	to: number;
	/** Days of the week on which it is allowed: 1 (Monday) to 7 (Sunday). */
	days: ReadonlySet<number>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A week later the same hours come again; a change of the clock can cost one of its days. */
const DAYS_AHEAD = 15;

/** How often the zones of a recipient are asked in turn before there is no common time. */
const MAX_ROUNDS = 60;

function local(instant: number, zone: string): DateTime {
	return DateTime.fromMillis(instant, { zone });
}

function isWithin({ from, to, days }: SendingHours, time: DateTime): boolean {
	const minutes = time.hour * 60 + time.minute;
	return days.has(time.weekday) && minutes >= from && minutes < to;
}

/** The instants of a day at which its offset changes: daylight saving starts or ends. */
function clockChange(start: number, end: number, zone: string): number | undefined {
	const offsetAt = (instant: number) => local(instant, zone).offset;
	if (offsetAt(start) === offsetAt(end)) return undefined;
	let before = Math.floor(start / MINUTE);
	let after = Math.ceil(end / MINUTE);
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (offsetAt(middle * MINUTE) === offsetAt(start)) before = middle;
		else after = middle;
	}
	return after * MINUTE;
}

/** Instants of one local day at which the allowed hours may start. */
function startsOf({ from }: SendingHours, day: DateTime, zone: string): number[] {
	const midnight = day.toMillis();
	const nextMidnight = day.plus({ days: 1 }).startOf('day').toMillis();
	const nominal = day.set({ hour: Math.floor(from / 60), minute: from % 60 }).toMillis();
	const change = clockChange(midnight - 3 * HOUR, nextMidnight, zone);
	if (change === undefined) return [nominal];
	// The clock may skip the start (then the change itself is it), or show it twice.
	const shift = Math.abs(local(change, zone).offset - local(change - 1, zone).offset) * MINUTE;
	return [nominal - shift, nominal, nominal + shift, change, midnight].sort((a, b) => a - b);
}

function nextInZone(hours: SendingHours, zone: string, instant: number): number | undefined {
	if (isWithin(hours, local(instant, zone))) return instant;
	const today = local(instant, zone).startOf('day');
	for (let ahead = 0; ahead < DAYS_AHEAD; ahead++) {
		const day = today.plus({ days: ahead });
		const start = startsOf(hours, day, zone).find(
			(candidate) => candidate > instant && isWithin(hours, local(candidate, zone)),
		);
		if (start !== undefined) return start;
	}
	return undefined;
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
	let candidate = instant;
	for (let round = 0; round < MAX_ROUNDS; round++) {
		let latest = candidate;
		for (const zone of zones) {
			const next = nextInZone(hours, zone, candidate);
			if (next === undefined) return undefined;
			latest = Math.max(latest, next);
		}
		if (latest === candidate) return candidate;
		candidate = latest;
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
	return zones.every((zone) => {
		const first = local(start, zone);
		const last = local(end - MINUTE, zone);
		return first.hasSame(last, 'day') && isWithin(hours, first) && isWithin(hours, last);
	});
}
