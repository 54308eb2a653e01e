import { DateTime } from 'luxon';
import { toDateText, toTimeText, toUtc } from '../../nodes/MessagingService/resources/shared/dates';
import { Failure } from '../../nodes/MessagingService/failure';
import { thrown } from './support/thrown';

const BERLIN = 'Europe/Berlin';
const inZone = (text: string, zone: string) => DateTime.fromISO(text, { zone });

/** Asserts that a value is refused, and how the error says to write it. */
function expectRefused(read: () => unknown, message: RegExp, format: string) {
	const error = thrown(read);
	expect(error).toBeInstanceOf(Failure);
	expect(error).toMatchObject({
		message: expect.stringMatching(message),
		description: expect.stringMatching(new RegExp(`${format}|Enter a value`)),
	});
}

describe('toUtc', () => {
	test.each([
		['in winter', '2031-01-15T12:00:00', BERLIN, '2031-01-15T11:00:00Z'],
		['in summer', '2031-07-15T12:00:00', BERLIN, '2031-07-15T10:00:00Z'],
		['that the clocks skip', '2031-03-30T02:30:00', BERLIN, '2031-03-30T01:30:00Z'],
		['on another day in UTC', '2031-01-01T05:00:00', 'Pacific/Auckland', '2030-12-31T16:00:00Z'],
		['by half an hour', '2031-01-15T12:00:00', 'America/St_Johns', '2031-01-15T15:30:00Z'],
	])('takes a time without offset as that of the zone: one %s', (_, value, zone, utc) => {
		expect(toUtc(value, zone, 'Start')).toBe(utc);
	});

	test.each([
		['a space instead of the T', '2030-05-17 09:30', '2030-05-17T07:30:00Z'],
		['spaces around it', ' 2030-05-17T09:30:00 ', '2030-05-17T07:30:00Z'],
		['milliseconds', '2030-05-17T09:30:00.250', '2030-05-17T07:30:00.250Z'],
		['UTC', '2030-05-17T09:30:00Z', '2030-05-17T09:30:00Z'],
		['small letters', '2030-05-17t09:30:00z', '2030-05-17T09:30:00Z'],
		['an offset of hours', '2030-05-17 09:30:00+00', '2030-05-17T09:30:00Z'],
		['an offset of minutes', '2030-05-17T09:30:00+05:30', '2030-05-17T04:00:00Z'],
		['a Date', new Date('2030-05-17T09:30:00Z'), '2030-05-17T09:30:00Z'],
		[
			'a DateTime of another zone',
			inZone('2030-05-17T09:30:00', 'Asia/Tokyo'),
			'2030-05-17T00:30:00Z',
		],
	])('reads %s', (_, value, utc) => {
		expect(toUtc(value, BERLIN, 'Start')).toBe(utc);
	});

	test.each([
		...['', 'tomorrow', '2030-02-30T10:00:00', '2030-05-17T25:00:00', '17.05.2030', '2030-05-17'],
		...[1_900_000_000_000, null, undefined, {}, new Date(NaN), DateTime.invalid('test')],
	])('refuses %p and says how to write it', (value) => {
		expectRefused(
			() => toUtc(value, BERLIN, 'Start Date and Time'),
			/^Start Date and Time is (empty|not a date and time)/,
			'2030-05-17T09:30:00',
		);
	});

	test('refuses a zone that does not exist', () => {
		expect(() => toUtc('2030-05-17T09:30:00', 'Mars/Olympus', 'Start')).toThrow(Failure);
	});
});

describe('toDateText', () => {
	test.each(['', 'T09:30', ' 09:30:00', 'T00:00:00.000'])(
		'takes a date without offset as written (%j)',
		(time) => {
			for (const zone of ['UTC', 'Pacific/Niue', 'Pacific/Kiritimati']) {
				expect(toDateText(`2030-05-17${time}`, zone, 'Start Date')).toBe('2030-05-17');
			}
		},
	);

	test.each(['20:30', '20:00'])('converts a point in time into the zone: %s', (time) => {
		const dateTime = inZone(`2030-05-17T${time}:00`, 'utc');
		for (const value of [dateTime, dateTime.toISO(), dateTime.toJSDate()]) {
			expect(toDateText(value, 'Asia/Tokyo', 'Start Date')).toBe('2030-05-18');
			expect(toDateText(value, 'America/New_York', 'Start Date')).toBe('2030-05-17');
		}
	});

	test('keeps the day of a midnight, as a date column of a database gives it', () => {
		const midnight = inZone('2030-05-17T00:00:00', 'Asia/Tokyo');
		for (const value of [midnight, midnight.toISO(), new Date('2030-05-17')]) {
			expect(toDateText(value, 'Pacific/Niue', 'Start Date')).toBe('2030-05-17');
		}
	});

	test.each([
		...['', '20300517', '2030-W20-5', '2030-137', '2030-5-17', '17.05.2030', '2030-02-30'],
		...['2030-13-01', '2030', '2030-05', '2030-W05', '2030-W60-1', '2030-400', '09:30'],
		...['tomorrow', '2030-05-17 anything', '2030-05-17T', 20300517, null, {}],
		...[new Date(NaN), DateTime.invalid('test')],
	])('refuses %p and says how to write a date', (value) => {
		expectRefused(
			() => toDateText(value, 'UTC', 'Start Date'),
			/^Start Date is (empty|not a date)/,
			'YYYY-MM-DD',
		);
	});
});

describe('toTimeText', () => {
	const timeOf = (value: unknown, zone = 'UTC') => toTimeText(value, zone, 'Start Time');

	test.each([
		'9:05',
		'09:05',
		' 09:05 ',
		'09:05:59',
		'09:05:30.123',
		'2030-05-17T09:05',
		'2030-05-17 09:05:59',
	])('writes %s as HH:mm in any zone', (value) => {
		expect(timeOf(value)).toBe('09:05');
		expect(timeOf(value, 'Asia/Tokyo')).toBe('09:05');
	});

	test.each(['00:00', '23:59'])('takes %s, an end of the day', (value) => {
		expect(timeOf(value)).toBe(value);
	});

	test('refuses a time that a spreadsheet has given its first day: zones were odd then', () => {
		const sheet = '1899-12-30T09:00:00.000Z';
		for (const value of [sheet, new Date(sheet), '1904-01-01T09:00:00Z']) {
			for (const zone of ['UTC', 'Europe/Amsterdam']) {
				expectRefused(() => timeOf(value, zone), /^Start Time is not a time \(/, 'HH:mm');
			}
		}
	});

	test('converts a time with an offset into the zone', () => {
		const dateTime = inZone('2030-05-17T09:05:59', 'utc');
		const texts = ['2030-05-17T09:05:59Z', '2030-05-17T14:35:59+05:30', '2030-05-17T10:05:59+01'];
		for (const value of [dateTime, dateTime.toJSDate(), ...texts]) {
			expect(timeOf(value, 'Asia/Tokyo')).toBe('18:05');
		}
	});

	test.each([
		...['', '24:00', '9:60', '9', '0930', '09:30+02:00', '9:5', '9:30 am', '-1:00'],
		...['2030-05-17', '2030-05-17T25:00', 930, null, true, {}, new Date(NaN)],
	])('refuses %p and says how to write a time', (value) => {
		expectRefused(() => timeOf(value), /^Start Time is (empty|not a time)/, 'HH:mm');
	});
});

test.each(['', ' ', null, undefined])('nothing (%j) is called empty by each of them', (value) => {
	for (const read of [toUtc, toDateText, toTimeText]) {
		expect(() => read(value, 'UTC', 'Start')).toThrow(/^Start is empty$/);
	}
});
