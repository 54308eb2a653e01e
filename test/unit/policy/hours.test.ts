import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	hoursText,
	isWindowAllowed,
	nextAllowed,
	type SendingHours,
} from '../../../nodes/MessagingService/policy/hours';
import { Recipient } from '../../../nodes/MessagingService/policy/rules/rule';
import { sendingHours } from '../../../nodes/MessagingService/policy/rules/sendingHours';
import { timeZonesOf } from '../../../nodes/MessagingService/numbers/timeZones';
import { holds } from '../../support/runs';

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
	it('agree with a slow model on who may get a message now, and on the next allowed minute', async () => {
		await holds(
			fc.property(
				hours,
				fc.array(zones, { minLength: 1, maxLength: 3 }),
				instants,
				(rules, places, instant) => {
					const next = nextAllowed(rules, places, instant);
					expect(next === instant).toBe(places.every((zone) => modelAllows(rules, zone, instant)));
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
			30,
		);
	}, 300_000);

	it('open at their minute, also in the quarter of an hour in which somebody asks', () => {
		const rules = { from: 9 * 60 + 7, to: 1440, days: new Set([1, 2, 3, 4, 5, 6, 7]) };
		const at = (time: string) => Date.parse(`2030-01-09T${time}Z`);
		expect(nextAllowed(rules, ['UTC'], at('09:01:30'))).toBe(at('09:07:00'));
		expect(nextAllowed(rules, ['UTC'], at('09:07:30'))).toBe(at('09:07:30'));
	});

	it('allow a window of a day only when each of its minutes is allowed', async () => {
		await holds(
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
			100,
		);
	}, 300_000);

	// Clocks that change at midnight, by half an hour, and where the hours begin.
	it.each([
		['Africa/Cairo', '2026-04-23T12:00Z'],
		['Africa/Cairo', '2026-10-29T12:00Z'],
		['Asia/Beirut', '2026-03-28T12:00Z'],
		['America/Havana', '2026-03-07T18:00Z'],
		['America/Havana', '2026-10-31T18:00Z'],
		['Australia/Lord_Howe', '2026-04-04T06:00Z'],
		['Australia/Lord_Howe', '2026-10-03T06:00Z'],
		['Europe/London', '2026-03-28T12:00Z'],
		['Europe/London', '2026-10-24T12:00Z'],
	])('begin at their first minute in %s after %s', (zone, date) => {
		const instant = DateTime.fromISO(date).toMillis();
		for (const from of [0, 30, 45, 60, 90, 120]) {
			for (const length of [15, 600]) {
				const rules = { from, to: from + length, days: new Set([1, 2, 4, 5, 7]) };
				const model = modelNext(rules, [zone], instant, 3 * 24 * 60);
				expect([from, length, nextAllowed(rules, [zone], instant)]).toEqual([from, length, model]);
			}
		}
	});

	// Those of a line have the same first zone, and different others.
	it.each([
		['+61891732621', '+61893044763', '+61495171068', '+61851223930'],
		['+358172621', '+358494621'],
		['+59334262462', '+593964007106'],
		['+390831300262', '+39327106896'],
		['+77718210710', '+78007855692'],
		['+6424019300', '+642100689657'],
	])('judge each recipient by all of its own zones, whoever comes before: %s, %s', (...list) => {
		const rules = { from: 540, to: 1200, days: new Set([1, 2, 3, 4, 5, 6, 7]) };
		const fields = { sendingHoursFrom: '09:00', sendingHoursTo: '20:00' };
		for (const order of [list, [...list].reverse()]) {
			for (let hour = 0; hour < 24; hour += 3) {
				const now = Date.UTC(2030, 0, 15, hour);
				const check = sendingHours.read(fields).ofRecipients?.([[now, now + MINUTE]], 'utc');
				const isAllowed = (number: string) =>
					timeZonesOf(number).every((zone) => modelAllows(rules, zone, now));
				const allowed = order.filter((number) => check?.(new Recipient(number)) === undefined);
				expect([hour, allowed]).toEqual([hour, order.filter(isAllowed)]);
			}
		}
	});

	it.each([
		['+442079460000', '20:30', '20:31', 'It is 20:30 there. Next: tomorrow 09:00.'],
		// Adelaide: 19:56, Brisbane: 19:26. In Perth, it is 09:00 then.
		['+61412345678', '09:26', '09:27', 'It is 20:26 in Australia/Lord_Howe. Next: tomorrow 12:00.'],
		// As a call from 11:00 to 20:01.
		['+442079460000', '11:00', '20:01', 'It is 11:00 to 20:01 there. Next: tomorrow 09:00.'],
	])('say what the clock shows that forbids it: %s, %s to %s', (number, from, to, clock) => {
		jest.useFakeTimers({ now: Date.parse(`2030-01-15T${from}Z`) });
		const fields = { sendingHoursFrom: '09:00', sendingHoursTo: '20:00' };
		const window = [from, to].map((time) => Date.parse(`2030-01-15T${time}Z`));
		const timing = [window as [number, number]];
		const reason = sendingHours.read(fields).ofRecipients?.(timing, 'utc')(new Recipient(number));
		jest.useRealTimers();
		expect(reason?.advice).toContain(`${clock} Sending Hours: 09:00 to 20:00 every day, in `);
	});

	const EVERY_DAY = ['1', '2', '3', '4', '5', '6', '7'];
	// On Tuesday, 15 January.
	it.each([
		['08:59', '09:00', '20:00', EVERY_DAY, 'today 09:00'],
		['10:00', '13:00', '20:00', EVERY_DAY, 'today 13:00'],
		['00:01', '23:59', '24:00', EVERY_DAY, 'today 23:59'],
		['21:00', '13:00', '20:00', EVERY_DAY, 'tomorrow 13:00'],
		['23:59', '00:00', '20:00', EVERY_DAY, 'tomorrow 00:00'],
		['10:00', '13:00', '20:00', ['3', '4'], 'tomorrow 13:00'],
		['10:00', '13:00', '20:00', ['4'], 'Thursday 17 January 13:00'],
		['21:00', '13:00', '20:00', ['2'], 'Tuesday 22 January 13:00'],
	])('say at %s when %s to %s on the days %j come next: %s', (now, from, to, days, next) => {
		const start = Date.parse(`2030-01-15T${now}Z`);
		jest.useFakeTimers({ now: start });
		const fields = { sendingHoursFrom: from, sendingHoursTo: to, sendingDays: days };
		const check = sendingHours.read(fields).ofRecipients?.([[start, start + MINUTE]], 'utc');
		const reason = check?.(new Recipient('+442079460000'));
		jest.useRealTimers();
		expect(reason?.advice).toContain(`It is ${now} there. Next: ${next}. Sending Hours: `);
	});

	// At 12:00 on Tuesday, 15 January.
	it.each([
		['15T21:40', 'It will be 21:40 there. Next: tomorrow 09:00.'],
		['16T08:59', 'It will be 08:59 there. Next: tomorrow 09:00.'],
		['16T20:00', 'It will be 20:00 there. Next: Thursday 17 January 09:00.'],
		['25T23:30', 'It will be 23:30 there. Next: Saturday 26 January 09:00.'],
	])('say of a start at %s what the clock will show: %s', (day, clock) => {
		const start = Date.parse(`2030-01-${day}Z`);
		jest.useFakeTimers({ now: Date.parse('2030-01-15T12:00Z') });
		const fields = { sendingHoursFrom: '09:00', sendingHoursTo: '20:00' };
		const check = sendingHours.read(fields).ofRecipients?.([[start, start + MINUTE]], 'utc');
		const reason = check?.(new Recipient('+442079460000'));
		jest.useRealTimers();
		expect(reason?.advice).toContain(`${clock} Sending Hours: `);
	});

	it('have no next time where zones have none in common', () => {
		const noon = { from: 720, to: 780, days: new Set([1, 2, 3, 4, 5, 6, 7]) };
		const instant = Date.UTC(2030, 4, 14);
		expect(nextAllowed(noon, ['Pacific/Auckland', 'Europe/London'], instant)).toBeUndefined();
		const mondays = { from: 0, to: 1440, days: new Set([1]) };
		expect(nextAllowed(mondays, ['Pacific/Auckland', 'Pacific/Niue'], instant)).toBe(
			Date.UTC(2030, 4, 20, 11),
		);
	});

	it('come two weeks later where the clock skips those of the next week', () => {
		const atOne = { from: 60, to: 90, days: new Set([7]) };
		const next = nextAllowed(atOne, ['Europe/London'], Date.UTC(2026, 2, 22, 2));
		expect(next).toBe(Date.UTC(2026, 3, 5));
	});

	it.each([
		[{ from: 540, to: 1200, days: new Set([1, 2, 3, 4, 5, 6, 7]) }, '09:00 to 20:00 every day'],
		[{ from: 5, to: 1440, days: new Set([7, 1]) }, '00:05 to 24:00 on Monday, Sunday'],
		[{ from: 0, to: 61, days: new Set([3]) }, '00:00 to 01:01 on Wednesday'],
	])('are told in words: %j is %s', (rules, words) => {
		expect(hoursText(rules)).toBe(words);
	});
});

test('calls that would go on after the sending hours are allowed on the next morning', () => {
	const checks = sendingHours.read({
		sendingHoursFrom: '09:00',
		sendingHoursTo: '20:00',
		sendingHoursIn: 'service',
	});
	const day = [Date.UTC(2030, 4, 16, 18), Date.UTC(2030, 4, 16, 21)] as const;
	const check = checks.ofRecipients?.([day], 'utc');
	expect(check?.(new Recipient('+447400123456'))?.nextAllowedTime).toBe('2030-05-17T09:00:00Z');
});
