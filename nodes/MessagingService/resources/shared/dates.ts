import { DateTime } from 'luxon';
import { hasDesignator } from '../../times';
import { Failure } from '../../failure';
import { shown } from '../../texts';
import { assertSomething } from '../../parameters/values';

/** ISO 8601: a calendar date, with a time or without one. */
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d.*))?$/i;
const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::\d{2}(?:[.,]\d+)?)?$/;

/**
 * A point in time as the interface wants it: ISO 8601 in UTC with designator. A text that is a day
 * alone is none: nobody means to send at midnight.
 * @param value what a date picker or an expression gives: ISO text, a Luxon DateTime, a Date
 * @param zone IANA zone that a text without offset is meant in (the workflow's)
 * @param label display name of the n8n field, for the message
 */
export function toUtc(value: unknown, zone: string, label: string): string {
	assertSomething(value, label);
	const moment = hasTime(value) ? dateTimeIn(value, zone) : undefined;
	const utc = moment?.toUTC().toISO({ suppressMilliseconds: true });
	if (typeof utc === 'string') return utc;
	throw Failure.ofField(
		label,
		`is not a date and time (${shown(value)})`,
		'Select a date and time, or use an ISO 8601 text like 2030-05-17T09:30:00.',
	);
}

/**
 * A calendar date as `YYYY-MM-DD` in the service's zone. A value without offset is taken as written.
 * One with an offset (a text, a Date, a Luxon DateTime) is converted, except for a midnight, which
 * stands for the whole day: that is how databases give a date without time.
 */
export function toDateText(value: unknown, zone: string, label: string): string {
	assertSomething(value, label);
	const moment = dateTimeIn(value, zone);
	if (moment === undefined) {
		throw Failure.ofField(
			label,
			`is not a date (${shown(value)})`,
			'Write it as YYYY-MM-DD, for example 2030-05-17.',
		);
	}
	const own = withOwnOffset(value);
	const isDay = own !== undefined && own.equals(own.startOf('day'));
	return (isDay ? own : moment).toFormat('yyyy-MM-dd');
}

/** Spreadsheets count from 1899, 1900 or 1904, where zones have odd minutes: a time cell has that day. */
const SHEET_YEAR = 1904;

/**
 * A time of day as `HH:mm` in the service's zone; seconds are dropped. A value without offset is
 * taken as written, a date and time with one is converted.
 */
export function toTimeText(value: unknown, zone: string, label: string): string {
	assertSomething(value, label);
	const [, hours = '', minutes = ''] =
		(typeof value === 'string' ? TIME_OF_DAY.exec(value.trim()) : null) ?? [];
	if (Number.parseInt(hours) <= 23 && Number(minutes) <= 59) {
		return `${hours.padStart(2, '0')}:${minutes}`;
	}
	const moment = hasTime(value) ? dateTimeIn(value, zone) : undefined;
	const isOfSheet = moment !== undefined && moment.year <= SHEET_YEAR && withOwnOffset(value);
	if (moment !== undefined && !isOfSheet) return moment.toFormat('HH:mm');
	throw Failure.ofField(
		label,
		`is not a time (${shown(value)})`,
		'Write it as HH:mm, for example 09:30.',
	);
}

/** A value as a point in time, in the zone that is asked for. */
function dateTimeIn(value: unknown, zone: string): DateTime | undefined {
	const moment = withOwnOffset(value)?.setZone(zone) ?? fromText(value, zone);
	return moment?.isValid === true ? moment : undefined;
}

/** A Date, a DateTime, or a text with an offset, in the zone that it has itself. */
function withOwnOffset(value: unknown): DateTime | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone: 'utc' });
	// n8n's expressions may come from another copy of Luxon, so no instanceof for DateTime.
	if (DateTime.isDateTime(value)) return DateTime.fromISO(value.toISO() ?? '', { setZone: true });
	const time = typeof value === 'string' ? timeOf(value) : undefined;
	return time === undefined || !hasDesignator(time) ? undefined : fromText(value);
}

function fromText(value: unknown, zone?: string): DateTime | undefined {
	const [, date, time] = (typeof value === 'string' ? ISO_DATE.exec(value.trim()) : null) ?? [];
	if (date === undefined) return undefined;
	const text = time === undefined ? date : `${date}T${time}`;
	return DateTime.fromISO(text, zone === undefined ? { setZone: true } : { zone });
}

function hasTime(value: unknown): boolean {
	return typeof value !== 'string' || timeOf(value) !== undefined;
}

function timeOf(text: string): string | undefined {
	return ISO_DATE.exec(text.trim())?.[2];
}
