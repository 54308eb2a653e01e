import fc from 'fast-check';
import { DateTime } from 'luxon';
import { toDateText, toTimeText, toUtc } from '../../nodes/MessagingService/resources/shared/dates';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { thrown } from './support/thrown';
import { runs } from '../support/runs';

const LABEL = 'Start Date and Time';
const YEAR = 2031;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const zones = Intl.supportedValuesOf('timeZone');
const formats = new Map(
	zones.map((timeZone) => [
		timeZone,
		new Intl.DateTimeFormat('en-US', {
			timeZone,
			hourCycle: 'h23',
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
		}),
	]),
);

/** Milliseconds that a zone's clocks are ahead of UTC at an instant, from Intl alone. */
function offsetAt(instant: number, zone: string): number {
	const parts = formats.get(zone)?.formatToParts(instant) ?? [];
	const part = (type: string) => Number(parts.find((entry) => entry.type === type)?.value);
	const wall = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return wall - instant;
}

/** The instants of a year at which a zone changes its offset, to the minute. */
function offsetChanges(zone: string): number[] {
	const changes: number[] = [];
	for (let start = Date.UTC(YEAR, 0, 1); start < Date.UTC(YEAR + 1, 0, 1); start += 7 * DAY) {
		let [before, after] = [start, start + 7 * DAY];
		if (offsetAt(before, zone) === offsetAt(after, zone)) continue;
		while (after - before > MINUTE) {
			const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
			if (offsetAt(middle, zone) === offsetAt(before, zone)) before = middle;
			else after = middle;
		}
		changes.push(after);
	}
	return changes;
}

/** The instants that a wall clock of a zone shows a time at: none in a gap, two in an overlap. */
function instantsOf(wall: number, zone: string): number[] {
	const offsets = new Set([offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)]);
	return [...offsets]
		.map((offset) => wall - offset)
		.filter((instant) => {
			return instant + offsetAt(instant, zone) === wall;
		});
}

/** A wall-clock time as the date picker gives it: no offset. */
const wallText = (wall: number) => new Date(wall).toISOString().slice(0, 19);

/** Asserts what `toUtc` makes of a wall-clock time in a zone. */
function expectSameInstant(wall: number, zone: string) {
	const text = toUtc(wallText(wall), zone, LABEL);
	if (!text.endsWith('Z')) throw new Error(`${text} has no UTC designator`);
	const instant = Date.parse(text);
	const possible = instantsOf(wall, zone);
	// A time that a clock skips is none; it is taken as the offset before or after the change says.
	const allowed =
		possible.length > 0
			? possible
			: [wall - offsetAt(wall - DAY, zone), wall - offsetAt(wall + DAY, zone)];
	if (!allowed.includes(instant)) {
		throw new Error(`${wallText(wall)} in ${zone} became ${text}`);
	}
}

describe('toUtc', () => {
	test('every zone and its changes of offset are looked at', () => {
		expect(zones.length).toBeGreaterThan(400);
		expect(offsetChanges('Europe/London').map((change) => new Date(change).toISOString())).toEqual([
			'2031-03-30T01:00:00.000Z',
			'2031-10-26T01:00:00.000Z',
		]);
		expect(zones.filter((zone) => offsetChanges(zone).length >= 2).length).toBeGreaterThan(100);
	});

	test('gives the instant that the wall clocks of every zone show, around every change', () => {
		for (const zone of zones) {
			const moments = [
				Date.UTC(YEAR, 0, 15, 12),
				Date.UTC(YEAR, 6, 15, 12),
				...offsetChanges(zone),
			];
			for (const moment of moments) {
				const wall = moment + offsetAt(moment, zone);
				for (const distance of [-DAY, -2 * HOUR, -HOUR, -MINUTE, 0, MINUTE, HOUR, 2 * HOUR, DAY]) {
					expectSameInstant(wall + distance, zone);
				}
			}
		}
	});

	test('gives the instant of any wall-clock time in any zone', () => {
		const seconds = fc.integer({
			min: Date.UTC(2000, 0, 1) / 1000,
			max: Date.UTC(2060, 0, 1) / 1000,
		});
		fc.assert(
			fc.property(seconds, fc.constantFrom(...zones), (second, zone) => {
				expectSameInstant(second * 1000, zone);
			}),
			{ numRuns: runs(200) },
		);
	});

	test('leaves the instant of a text with offset alone in any zone', () => {
		const offset = fc.constantFrom('Z', '+00:00', '+05:30', '-03:00', '+14:00', '-11:00');
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) / 1000 }),
				offset,
				fc.constantFrom(...zones),
				(second, suffix, zone) => {
					const text = `${wallText(second * 1000)}${suffix}`;
					const utc = toUtc(text, zone, LABEL);
					expect(utc).toMatch(/Z$/);
					expect(Date.parse(utc)).toBe(Date.parse(text));
				},
			),
			{ numRuns: runs(50) },
		);
	});

	test.each([
		['a picked date and time', '2030-05-17T09:30:00', '2030-05-17T07:30:00Z'],
		['a space instead of the T', '2030-05-17 09:30', '2030-05-17T07:30:00Z'],
		['spaces around it', ' 2030-05-17T09:30:00 ', '2030-05-17T07:30:00Z'],
		['milliseconds', '2030-05-17T09:30:00.250', '2030-05-17T07:30:00.250Z'],
		['a date alone: its midnight', '2030-05-17', '2030-05-16T22:00:00Z'],
		['an offset of hours', '2030-05-17 09:30:00+00', '2030-05-17T09:30:00Z'],
		['a Date', new Date('2030-05-17T09:30:00Z'), '2030-05-17T09:30:00Z'],
		[
			'a DateTime of another zone',
			DateTime.fromISO('2030-05-17T09:30:00', { zone: 'Asia/Tokyo' }),
			'2030-05-17T00:30:00Z',
		],
	])('reads %s', (_, value, utc) => {
		expect(toUtc(value, 'Europe/Berlin', LABEL)).toBe(utc);
	});

	test.each([
		'',
		'tomorrow',
		'2030-02-30T10:00:00',
		'2030-05-17T25:00:00',
		'17.05.2030',
		1_900_000_000_000,
		null,
		undefined,
		{},
		new Date(NaN),
		DateTime.invalid('test'),
	])('refuses %s and says how to write it', (value) => {
		const error = thrown(() => toUtc(value, 'Europe/Berlin', LABEL));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Start Date and Time is (empty|not a date and time)/),
			description: expect.stringMatching(/2030-05-17T09:30:00|Enter a value/),
		});
	});

	test('refuses a zone that does not exist', () => {
		expect(() => toUtc('2030-05-17T09:30:00', 'Mars/Olympus', LABEL)).toThrow(InputError);
	});
});

describe('toDateText', () => {
	const anyZone = fc.constantFrom(...zones);
	const anyWall = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) / 1000 }).map((s) => s * 1000);

	test('takes a date without offset as written', () => {
		const time = fc.constantFrom('', 'T09:30', ' 09:30:00', 'T00:00:00.000');
		fc.assert(
			fc.property(anyWall, time, anyZone, (wall, suffix, zone) => {
				const date = DateTime.fromMillis(wall, { zone: 'utc' }).toFormat('yyyy-MM-dd');
				expect(toDateText(date + suffix, zone, LABEL)).toBe(date);
			}),
			{ numRuns: runs(100) },
		);
	});

	test('converts a point in time into the zone, however it comes', () => {
		fc.assert(
			fc.property(anyWall, anyZone, fc.constantFrom('utc', ...zones), (instant, zone, own) => {
				const dateTime = DateTime.fromMillis(instant, { zone: own });
				// A midnight stands for its whole day.
				fc.pre(!dateTime.equals(dateTime.startOf('day')) && instant % DAY !== 0);
				const day = DateTime.fromMillis(instant + offsetAt(instant, zone), { zone: 'utc' });
				const expected = day.toFormat('yyyy-MM-dd');
				expect(toDateText(dateTime, zone, LABEL)).toBe(expected);
				expect(toDateText(dateTime.toISO(), zone, LABEL)).toBe(expected);
				expect(toDateText(new Date(instant), zone, LABEL)).toBe(expected);
			}),
			{ numRuns: runs(100) },
		);
	});

	test('keeps the day of a midnight, as a date column of a database gives it', () => {
		const own = fc.constantFrom('utc', ...zones);
		fc.assert(
			fc.property(anyWall, anyZone, own, (instant, zone, ownZone) => {
				const start = DateTime.fromMillis(instant, { zone: ownZone }).startOf('day');
				const day = start.toFormat('yyyy-MM-dd');
				expect(toDateText(start, zone, LABEL)).toBe(day);
				expect(toDateText(start.toISO(), zone, LABEL)).toBe(day);
			}),
			{ numRuns: runs(100) },
		);
		expect(toDateText(new Date('2030-05-17'), 'Pacific/Niue', LABEL)).toBe('2030-05-17');
	});

	test.each([
		...[
			'',
			'20300517',
			'2030-W20-5',
			'2030-137',
			'2030-5-17',
			'17.05.2030',
			'2030-02-30',
			'2030-13-01',
			20300517,
			null,
			{},
		],
		...['2030', '2030-05', '2030-W05', '2030-W60-1', '2030-400', '09:30', 'tomorrow'],
		...['2030-05-17 anything', '2030-05-17T', new Date(NaN), DateTime.invalid('test')],
	])('refuses %s', (value) => {
		const error = thrown(() => toDateText(value, 'UTC', 'Start Date'));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Start Date is (empty|not a date)/),
			field: 'Start Date',
			description: expect.stringMatching(/YYYY-MM-DD|Enter a value/),
		});
	});
});

describe('toTimeText', () => {
	const DAY_TEXT = '2030-05-17';
	const timeOf = (value: unknown, zone = 'UTC') => toTimeText(value, zone, 'Start Time');
	const twoDigits = (number: number) => String(number).padStart(2, '0');

	test('writes every time of day without an offset as HH:mm', () => {
		const prefix = fc.constantFrom('', '2030-05-17T', '2030-05-17 ');
		const suffix = fc.constantFrom('', ':00', ':59', ':30.123');
		const hour = fc.integer({ min: 0, max: 23 });
		const minute = fc.integer({ min: 0, max: 59 });
		fc.assert(
			fc.property(hour, minute, prefix, suffix, (hours, minutes, before, after) => {
				const written = `${twoDigits(hours)}:${twoDigits(minutes)}`;
				expect(timeOf(`${before}${written}${after}`)).toBe(written);
				expect(timeOf(`${hours}:${twoDigits(minutes)}${after}`)).toBe(written);
			}),
			{ numRuns: runs(100) },
		);
	});

	test('converts a time with an offset into the zone', () => {
		const offset = fc.constantFrom('Z', '+00:00', '+05:30', '-03:00', '-11:00', '+01');
		fc.assert(
			fc.property(fc.constantFrom(...zones), offset, (zone, suffix) => {
				const dateTime = DateTime.fromISO(`${DAY_TEXT}T09:05:59${suffix}`, { zone: 'utc' });
				const wall = new Date(dateTime.toMillis() + offsetAt(dateTime.toMillis(), zone));
				const expected = wall.toISOString().slice(11, 16);
				expect(timeOf(`${DAY_TEXT}T09:05:59${suffix}`, zone)).toBe(expected);
				expect(timeOf(dateTime, zone)).toBe(expected);
				expect(timeOf(dateTime.toJSDate(), zone)).toBe(expected);
			}),
			{ numRuns: runs(100) },
		);
	});

	test.each([
		...[
			'',
			'24:00',
			'9:60',
			'9',
			'0930',
			'09:30+02:00',
			'9:5',
			'9:30 am',
			'-1:00',
			'2030-05-17',
			930,
			null,
		],
		...['2030-05-17T25:00', true, {}, new Date(NaN)],
	])('refuses %s', (value) => {
		const error = thrown(() => timeOf(value));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Start Time is (empty|not a time)/),
			description: expect.stringMatching(/HH:mm|Enter a value/),
		});
	});
});

test.each(['', ' ', null, undefined])('nothing (%j) is called empty by each of them', (value) => {
	for (const read of [
		() => toUtc(value, 'UTC', 'Start'),
		() => toDateText(value, 'UTC', 'Start'),
		() => toTimeText(value, 'UTC', 'Start'),
	])
		expect(read).toThrow(/^Start is empty$/);
});
