import { DateTime } from 'luxon';
import { InputError } from './inputError';

/**
 * A point in time as the interface wants it: ISO 8601 in UTC with designator.
 * @param value what a date picker or an expression gives: ISO text, a Luxon DateTime, a Date
 * @param zone IANA zone that a text without offset is meant in (the workflow's)
 * @param label display name of the n8n field, for the message
 */
export function toUtc(value: unknown, zone: string, label: string): string {
	const dateTime = toDateTime(value, zone);
	const utc = dateTime?.toUTC().toISO({ suppressMilliseconds: true });
	if (typeof utc !== 'string') {
		throw new InputError(
			label,
			`is not a date and time (${String(value)})`,
			'Pick one, or use an ISO 8601 text like 2030-05-17T09:30:00.',
		);
	}
	return utc;
}

function toDateTime(value: unknown, zone: string): DateTime<boolean> | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value);
	// n8n's expressions may come from another copy of Luxon, so no instanceof for DateTime.
	if (DateTime.isDateTime(value)) return value;
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
	// Luxon would take "2030" for a year and "09:30" for today.
	if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
	return DateTime.fromISO(text, { zone });
}

/**
 * A calendar date as `YYYY-MM-DD`. Of a date with time and offset, the date that is written in it:
 * converting it to another zone would move it to another day.
 */
export function toDateText(value: unknown, label: string): string {
	const text = asIsoText(value);
	const date = /^(\d{4}-\d{2}-\d{2})(?:$|[T ]\d{1,2}:)/.exec(text)?.[1];
	if (date === undefined || !DateTime.fromISO(date).isValid) {
		throw new InputError(
			label,
			text === '' ? 'is empty' : `is not a date (${text})`,
			'Write it as YYYY-MM-DD, for example 2030-05-17.',
		);
	}
	return date;
}

/** A time of day as `HH:mm`; seconds are dropped, a missing leading zero is added. */
export function toTimeText(value: unknown, label: string): string {
	const text = asIsoText(value).replace(/^\d{4}-\d{2}-\d{2}[T ]/, '');
	const [, hours = '', minutes = ''] =
		/^(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/.exec(text) ?? [];
	if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) {
		throw new InputError(
			label,
			text === '' ? 'is empty' : `is not a time (${text})`,
			'Write it as HH:mm, for example 09:30.',
		);
	}
	return `${hours.padStart(2, '0')}:${minutes}`;
}

function asIsoText(value: unknown): string {
	if (DateTime.isDateTime(value)) return value.toISO() ?? '';
	if (value instanceof Date) return value.toISOString();
	return typeof value === 'string' ? value.trim() : String(value ?? '');
}
