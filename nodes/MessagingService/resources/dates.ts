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
	return DateTime.fromISO(text, { zone });
}
