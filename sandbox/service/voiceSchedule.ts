import { dayAfter, momentOf } from './clock.ts';

/** A time in which a campaign calls, in milliseconds since 1970; `to` is no longer part of it. */
export interface CallWindow {
	from: number;
	to: number;
}

/** A run-over day with its date (interface: "Voice campaign create request"). */
export interface RunOverDay {
	date: string;
	startTime: string;
	finishTime: string;
}

/** Run-over days without a date are the days that follow. */
export const withDates = (
	startDate: string,
	days: { date?: string; startTime: string; finishTime: string }[],
): RunOverDay[] => {
	let last = startDate;
	return days.map(({ date = dayAfter(last), startTime, finishTime }) => {
		last = date;
		return { date, startTime, finishTime };
	});
};

/** The times in which a campaign calls: its first day, then its run-over days. */
export const windowsOf = (days: RunOverDay[], timeZone: string): CallWindow[] =>
	days
		.map(({ date, startTime, finishTime }) => ({
			from: momentOf(date, startTime, timeZone),
			to: momentOf(date, finishTime, timeZone),
		}))
		.sort((left, right) => left.from - right.from);

/**
 * When each number's first call is made: one after the other at the given pace, through all windows.
 * A number that has no place in any of them gets the end of the last one: it is out of time.
 */
export const firstCalls = function* (
	windows: CallWindow[],
	callsPerSecond: number,
	count: number,
): Generator<number> {
	let left = count;
	for (const { from, to } of windows) {
		const places = Math.min(left, Math.ceil(((to - from) * callsPerSecond) / 1000));
		for (let place = 0; place < places; place++) {
			yield from + Math.floor((place * 1000) / callsPerSecond);
		}
		left -= places;
	}
	const end = endOf(windows);
	for (; left > 0; left--) yield end;
};

/** The end of the last window. */
export const endOf = (windows: CallWindow[]): number => Math.max(...windows.map(({ to }) => to));

/** The first moment, from then on, at which the campaign may call; nothing when its time is over. */
export const nextMoment = (windows: CallWindow[], moment: number): number | undefined => {
	for (const { from, to } of windows) {
		if (moment < from) return from;
		if (moment < to) return moment;
	}
	return undefined;
};
