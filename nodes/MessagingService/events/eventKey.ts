import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import { DateTime } from 'luxon';
import { isObject } from '../json';
import { receivedNumber } from '../numbers/received';
import { trimmed } from '../texts';
import type { EventLocale } from './decode';
import { SERVICE_KINDS, type EventKind } from './kinds';
import { hasDesignator } from '../times';

/**
 * Names one call attempt or one SMS status with a text made of the fields that webhook events and
 * list records share, so that both give the same text (interface: "Events", "Call record fields",
 * "SMS record fields", "SMS message").
 *
 * Times become the wall clock of the service: a time with a designator is converted to its zone, a
 * time without one is left as it is. Converted to UTC, the two would differ in the hour that
 * repeats when summer time ends.
 */

const LISTED_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?$/;

/**
 * The key of an event, by the names that the service's events give their fields. Where a part is
 * missing, the key is made of all of the content: otherwise different calls would share one.
 */
export function eventKeyOf(kind: EventKind, data: IDataObject, locale: EventLocale): string {
	const [name, ...fields] = kind === 'unknown' ? [kind] : SERVICE_KINDS[kind].key;
	const parts = fields.map((field) => keyPart(field, data[field], locale));
	const isWhole = parts.length > 0 && !parts.includes('');
	return [name, ...(isWhole ? parts : [contentHash(data)])].join('/');
}

function keyPart(field: string, value: unknown, { zone, country }: EventLocale): string {
	if (field === 'phoneNumber') return digitsOf(receivedNumber(value, country));
	return field === 'startTime' || field === 'lastUpdated' ? wallClock(value, zone) : trimmed(value);
}

/** The same for equal JSON, in any order of its fields. */
export function contentHash(content: unknown): string {
	const json = JSON.stringify(content, (_name, value: unknown) =>
		isObject(value)
			? Object.fromEntries(
					Object.keys(value)
						.sort()
						.map((name) => [name, value[name]]),
				)
			: value,
	);
	return createHash('sha256').update(json).digest('hex').slice(0, 32);
}

/** A number's digits: `+44 7700 900123` and `00447700900123` are the same number. */
function digitsOf(value: unknown): string {
	return trimmed(value).replace(/\D/g, '').replace(/^00/, '');
}

function wallClock(value: unknown, zone: string): string {
	const raw = trimmed(value).replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
	// As lists write it: parsing hundreds of thousands of times takes seconds.
	const [, toSecond, fraction = ''] = LISTED_TIME.exec(raw) ?? [];
	if (toSecond !== undefined) return `${toSecond}.${fraction.padEnd(3, '0').slice(0, 3)}`;
	const time = DateTime.fromISO(raw, { zone: hasDesignator(raw) ? zone : 'utc' });
	return time.isValid ? time.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS") : raw;
}
