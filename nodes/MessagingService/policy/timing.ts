import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { Timing } from './recipientRules';

/**
 * When messages go out: at the start that the request has, or now where it has none or a past one.
 * @returns undefined where the start cannot be read
 */
export function timingOfMessages(start: unknown, now: number): Timing | undefined {
	if (start === undefined || start === null || start === '') return { kind: 'instant', at: now };
	const at = DateTime.fromISO(String(start as string), { zone: 'utc' });
	return at.isValid ? { kind: 'instant', at: Math.max(at.toMillis(), now) } : undefined;
}

/**
 * The calling windows of a voice campaign, by the clock of the service.
 * @returns undefined where a day cannot be read
 */
export function timingOfCalls(days: readonly IDataObject[], zone: string): Timing | undefined {
	const windows = days.map((day) => {
		const at = (time: unknown) =>
			DateTime.fromISO(`${String(day.date as string)}T${String(time as string)}`, { zone });
		return [at(day.startTime).toMillis(), at(day.finishTime).toMillis()] as const;
	});
	return windows.every(([start, end]) => end > start) ? { kind: 'windows', windows } : undefined;
}
