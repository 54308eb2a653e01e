import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import { DateTime } from 'luxon';

/**
 * Names one call attempt or one SMS status with a text made of the fields that webhook events and
 * list records share, so that both give the same text (interface: "Events", "Call record fields",
 * "SMS record fields", "SMS message").
 *
 * Times become the wall clock of the service: a time with a designator is converted to its zone, a
 * time without one is left as it is. Converted to UTC, the two would differ in the hour that
 * repeats when summer time ends.
 */

const HAS_DESIGNATOR = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const LISTED_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?$/;
const WALL_CLOCK = "yyyy-MM-dd'T'HH:mm:ss.SSS";

/**
 * The key of an event, by the names that the service's events give their fields. Where a part is
 * missing, the key is made of all of the content: otherwise different calls would share one.
 * @param kind `callAttempted`, `smsStatus`, or another one, whose fields have no known meaning
 * @param zone IANA zone of the service's times without designator
 */
export function eventKeyOf(kind: string, data: IDataObject, zone: string): string {
	const [name, ...parts] = partsOf(kind, data, zone);
	return parts.length === 0 || parts.includes('')
		? contentKey(name, data)
		: [name, ...parts].join('/');
}

function partsOf(kind: string, data: IDataObject, zone: string): [string, ...string[]] {
	const number = digitsOf(data.phoneNumber);
	switch (kind) {
		case 'callAttempted':
			return ['call', text(data.campaignId), number, wallClock(data.startTime, zone)];
		case 'smsStatus': {
			const { statusCode, parts, lastUpdated } = data;
			return ['sms', number, text(statusCode), text(parts), wallClock(lastUpdated, zone)];
		}
		default:
			return [kind];
	}
}

/** The key of a call record of a phone number (interface, "Call record fields"). */
export function listedCallKey(
	call: IDataObject,
	{ number: phoneNumber }: IDataObject,
	campaignId: string,
	zone: string,
): string {
	return eventKeyOf('callAttempted', { ...call, campaignId, phoneNumber }, zone);
}

/** The key of an SMS record of a phone number (interface, "SMS record fields"). */
export function listedSmsKey(
	sms: IDataObject,
	{ number: phoneNumber }: IDataObject,
	zone: string,
): string {
	const { status: statusCode, smsCount: parts, dateReceived: lastUpdated } = sms;
	return eventKeyOf('smsStatus', { ...sms, phoneNumber, statusCode, parts, lastUpdated }, zone);
}

/** A key of its own for content that has no name: equal content has equal keys. */
export function contentKey(kind: string, content: unknown): string {
	const hash = createHash('sha256').update(JSON.stringify(content) ?? '');
	return `${kind}/${hash.digest('hex').slice(0, 32)}`;
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A number's digits: `+44 7700 900123` and `00447700900123` are the same number. */
export function digitsOf(value: unknown): string {
	return text(value).replace(/\D/g, '').replace(/^00/, '');
}

function wallClock(value: unknown, zone: string): string {
	const raw = text(value).replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
	// As lists write it: parsing hundreds of thousands of times takes seconds.
	const [, toSecond, fraction = ''] = LISTED_TIME.exec(raw) ?? [];
	if (toSecond !== undefined) return `${toSecond}.${fraction.padEnd(3, '0').slice(0, 3)}`;
	const time = HAS_DESIGNATOR.test(raw.slice(10))
		? DateTime.fromISO(raw, { setZone: true }).setZone(zone)
		: DateTime.fromISO(raw, { zone: 'utc' });
	return time.isValid ? time.toFormat(WALL_CLOCK) : raw;
}
