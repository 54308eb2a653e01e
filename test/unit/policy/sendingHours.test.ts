import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	isAllowed,
	isWindowAllowed,
	nextAllowed,
	type SendingHours,
} from '../../../nodes/MessagingService/policy/sendingHours';

const MINUTE = 60_000;

/** A slow model: the wall clock as n8n's host formats it, asked minute by minute. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function modelAllows({ from, to, days }: SendingHours, zone: string, instant: number): boolean {
	let clock = clocks.get(zone);
	if (clock === undefined) {
		clock = new Intl.DateTimeFormat('en-GB', {
			timeZone: zone,
			weekday: 'short',
			hour: '2-digit',
			minute: '2-digit',
			hourCycle: 'h23',
		});
		clocks.set(zone, clock);
	}
	const parts = Object.fromEntries(
		clock.formatToParts(instant).map(({ type, value }) => [type, value]),
	);
	const minutes = Number(parts.hour) * 60 + Number(parts.minute);
	const weekday = WEEKDAYS.indexOf(parts.weekday ?? '') + 1;
	return days.has(weekday) && minutes >= from && minutes < to;
}

function modelNext(hours: SendingHours, zones: readonly string[], instant: number, most: number) {
	for (let minute = 0; minute <= most; minute++) {
		const candidate =
			minute === 0 ? instant : Math.floor(instant / MINUTE) * MINUTE + minute * MINUTE;
		if (zones.every((zone) => modelAllows(hours, zone, candidate))) return candidate;
	}
	return undefined;
}

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const hours = fc
	.record({
		from: fc.integer({ min: 0, max: 1439 }),
		length: fc.integer({ min: 1, max: 1440 }),
		days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
	})
	.map(({ from, length, days }) => ({
		from,
		to: Math.min(from + length, 1440),
		days: new Set(days),
	}));

/** Any minute of four years, and minutes around the changes of the clock in many zones. */
const instants = fc.oneof(
	fc
		.integer({
			min: Date.UTC(2025, 0) / 1000,
			max: Date.UTC(2029, 0) / 1000,
		})
		.map((seconds) => seconds * 1000),
	fc
		.record({
			change: fc.constantFrom(
				'2026-03-29T01:00Z',
				'2026-10-25T01:00Z',
				'2026-03-08T10:00Z',
				'2026-11-01T06:00Z',
				'2026-04-04T15:00Z',
				'2026-10-03T15:30Z',
			),
			minutes: fc.integer({ min: -3000, max: 3000 }),
		})
		.map(({ change, minutes }) => DateTime.fromISO(change).toMillis() + minutes * MINUTE),
);

describe('sending hours', () => {
	it('agree with a slow model on who may get a message now, and on the next allowed minute', () => {
		fc.assert(
			fc.property(
				hours,
				fc.array(zones, { minLength: 1, maxLength: 3 }),
				instants,
				(rules, places, instant) => {
					expect(isAllowed(rules, places, instant)).toBe(
						places.every((zone) => modelAllows(rules, zone, instant)),
					);
					const next = nextAllowed(rules, places, instant);
					const horizon = 9 * 24 * 60;
					const model = modelNext(rules, places, instant, horizon);
					if (model === undefined) {
						expect(next === undefined || next > instant + horizon * MINUTE).toBe(true);
					} else {
						expect(next === undefined ? next : new Date(next).toISOString()).toBe(
							new Date(model).toISOString(),
						);
					}
				},
			),
			{ numRuns: 300 },
		);
	}, 300_000);

	it('allow a window of a day only when each of its minutes is allowed', () => {
		fc.assert(
			fc.property(
				hours,
				fc.array(zones, { minLength: 1, maxLength: 2 }),
				instants,
				fc.integer({ min: 1, max: 1440 }),
				(rules, places, instant, length) => {
					const start = Math.floor(instant / MINUTE) * MINUTE;
					const end = start + length * MINUTE;
					const all = Array.from({ length }, (_, minute) => start + minute * MINUTE);
					const isEach = all.every((minute) =>
						places.every((zone) => modelAllows(rules, zone, minute)),
					);
					const days = places.map((zone) =>
						DateTime.fromMillis(start, { zone }).hasSame(
							DateTime.fromMillis(end - MINUTE, { zone }),
							'day',
						),
					);
					// A window beyond midnight is refused even where all of both days is allowed.
					expect(isWindowAllowed(rules, places, start, end)).toBe(isEach && days.every(Boolean));
				},
			),
			{ numRuns: 1000 },
		);
	}, 300_000);
});
