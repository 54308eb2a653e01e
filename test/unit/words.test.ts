import { clauseOf, timeForAll, type Reason } from '../../nodes/MessagingService/reason';
import {
	counted,
	figure,
	messageOf,
	sentenceOf,
	shown,
	shownName,
	visibleName,
} from '../../nodes/MessagingService/texts';
import { hasDesignator, isBefore, momentOf, wallClockOf } from '../../nodes/MessagingService/times';

/** Words, figures and times that many texts and decisions share. */

const circle: Record<string, unknown> = {};
circle.circle = circle;

test.each<[unknown, string]>([
	['  two\n lines ', 'two lines'],
	['x'.repeat(30), 'x'.repeat(30)],
	['x'.repeat(31), `${'x'.repeat(30)}...`],
	// A character outside of the basic plane counts as one, and is not cut in two.
	['😀'.repeat(30), '😀'.repeat(30)],
	['😀'.repeat(31), `${'😀'.repeat(30)}...`],
	[{ a: [1, 'b'] }, '{"a":[1,"b"]}'],
	[null, 'null'],
	[undefined, 'undefined'],
	[4.47701e11, '447701000000'],
	[true, 'true'],
	[circle, 'an object'],
])('an error title shows the value %p as %j', (value, text) => {
	expect(shown(value)).toBe(text);
});

test.each([
	['\ufeffphone ', '[U+FEFF]phone[blank]'],
	['  phone', '[blank][blank]phone'],
	['phone\u00a0number', 'phone[U+00A0]number'],
	['phone number', 'phone number'],
	['phone\n', 'phone[U+000A]'],
	['\u{e0001}phone', '[U+E0001]phone'],
])('the name %j is shown as %j', (name, text) => {
	expect(shownName(name)).toBe(text);
});

test.each([
	['\ufeffPhone\r\n  Number ', 'Phone Number'],
	['Pre\u0301nom', 'Prénom'],
	['\u200eName\u200f', 'Name'],
])('the name %j is read as %j', (name, read) => {
	expect(visibleName(name)).toBe(read);
});

test.each([
	[' the row is blank ', 'The row is blank.'],
	['is it?', 'Is it?'],
	['Stop!', 'Stop!'],
	['Done.', 'Done.'],
	['', ''],
	['  ', ''],
])('%j as a sentence is %j', (text, sentence) => {
	expect(sentenceOf(text)).toBe(sentence);
});

test.each([
	[0, '0 rows'],
	[1, '1 row'],
	[2, '2 rows'],
	[1234567, '1,234,567 rows'],
])('%d is counted as %j', (count, text) => {
	expect(counted(count, 'row')).toBe(text);
});

test('a figure has six decimals at most', () => {
	expect([figure(0.1234567), figure(1234.5), figure(0.000001)]).toEqual([
		...['0.123457', '1,234.5', '0.000001'],
	]);
});

test.each([
	[new Error('is down'), 'is down'],
	['is down', 'is down'],
	[undefined, 'undefined'],
])('what was thrown (%p) says %j', (thrown, text) => {
	expect(messageOf(thrown)).toBe(text);
});

const reasonOf = (code: Reason['code'], nextAllowedTime?: string): Reason => ({
	...{ code, text: 'is wrong', advice: '' },
	...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
});

test.each([
	['blank', 'is wrong'],
	['empty', 'this row has no phone number'],
	['field', 'is wrong'],
	['duplicate', 'the phone number is wrong'],
	['sendingHours', 'the phone number is wrong'],
] as const)('a reason of the kind %s is the clause "%s"', (code, clause) => {
	expect(clauseOf(reasonOf(code))).toBe(clause);
});

test.each<[(string | undefined)[], string | undefined]>([
	[[], undefined],
	[['2030-05-17T07:00:00.000Z'], '2030-05-17T07:00:00.000Z'],
	[
		['2030-05-17T07:00:00.000Z', '2030-05-18T07:00:00.000Z', '2030-05-16T07:00:00.000Z'],
		'2030-05-18T07:00:00.000Z',
	],
	[[undefined, '2030-05-17T07:00:00.000Z'], undefined],
	[['2030-05-17T07:00:00.000Z', undefined], undefined],
])('all of those who may be reached at %j may be at %p', (times, time) => {
	expect(timeForAll(times.map((each) => reasonOf('sendingHours', each)))).toBe(time);
});

test.each([
	['2030-05-17', false],
	['2030-05-17T09:30:00', false],
	['2030-05-17T09:30:00Z', true],
	['2030-05-17T09:30:00+02:00', true],
	['2030-05-17T09:30-0500', true],
	['09:30', false],
	['09:30z', true],
])('%j has UTC or an offset from it: %p', (time, has) => {
	expect(hasDesignator(time)).toBe(has);
});

test.each<[unknown, number]>([
	['1970-01-01T00:00:00Z', 0],
	['1969-12-31T23:59:59Z', NaN],
	['0001-01-01T00:00:00', NaN],
	[' 1970-01-01 01:00:00 ', 0],
	['1970-01-01T01:00:00+00:00', 3_600_000],
	['soon', NaN],
	[0, NaN],
])('the time %j of a service in Lagos is the moment %p', (time, moment) => {
	expect(momentOf(time, 'Africa/Lagos')).toBe(moment);
});

test('a time is before a later one only, and none before 1970 is', () => {
	const now = wallClockOf(Date.parse('2030-05-17T08:30:00Z'), 'Africa/Lagos');
	const times = ['2030-05-17 09:29:59', '2030-05-17T09:30:00', '0001-01-01T00:00:00', '1970', 5];
	expect(times.map((time) => isBefore(time, now))).toEqual([true, false, false, true, false]);
});
