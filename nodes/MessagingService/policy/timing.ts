import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { ReachOf } from '../reach';
import { MINUTE_MS } from '../times';

/** When a request reaches people: windows, each with its first instant and the one behind its last. */
export type Timing = readonly (readonly [number, number])[];

/**
 * When messages go out, or calls are made.
 * @param zone IANA zone of the service's clock
 * @returns undefined where the start or a day cannot be read
 */
export function timingOf(
	reach: ReachOf<'messages' | 'calls'>,
	now: number,
	zone: string,
): Timing | undefined {
	return reach.kind === 'messages' ? ofMessages(reach.start, now) : ofCalls(reach.days, zone);
}

/** When texts go out: in the minute of their start, or now. In milliseconds since 1970. */
export function startOf(reach: ReachOf<'messages'>): number {
	const now = Date.now();
	return timingOf(reach, now, 'utc')?.[0]?.[0] ?? now;
}

/** In the minute of the start that the request has, or now where it has none or a past one. */
function ofMessages(start: unknown, now: number): Timing | undefined {
	if (start === undefined || start === null || start === '') return [[now, now + MINUTE_MS]];
	const at = Math.max(DateTime.fromISO(String(start as string), { zone: 'utc' }).toMillis(), now);
	return Number.isNaN(at) ? undefined : [[at, at + MINUTE_MS]];
}

function ofCalls(days: readonly IDataObject[], zone: string): Timing | undefined {
	const windows = days.map((day) => {
		const at = (time: unknown) =>
			DateTime.fromISO(`${String(day.date as string)}T${String(time as string)}`, { zone });
		return [at(day.startTime).toMillis(), at(day.finishTime).toMillis()] as const;
	});
	return windows.every(([start, end]) => end > start) ? windows : undefined;
}
