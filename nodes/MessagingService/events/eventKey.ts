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

/** What names a call attempt. An event calls the number `phoneNumber`, a list record `number`. */
export interface CallIdentity {
	campaignId: unknown;
	phoneNumber: unknown;
	startTime: unknown;
}

/** What names a status of an SMS. */
export interface SmsStatusIdentity {
	phoneNumber: unknown;
	/** `statusCode` of an event, `status` of a record. */
	status: unknown;
	/** `parts` of an event, `smsCount` of a record. */
	parts: unknown;
	/** `lastUpdated` of an event, `dateModified` of a message, `dateReceived` of a number's SMS. */
	changedAt: unknown;
}

const HAS_DESIGNATOR = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const LISTED_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?$/;
const WALL_CLOCK = "yyyy-MM-dd'T'HH:mm:ss.SSS";

/**
 * The key of an event, by the names that the service's events give their fields.
 * @param kind `callAttempted`, `smsStatus`, or another one, whose fields have no known meaning
 * @param zone IANA zone of the service's times without designator
 */
export function eventKeyOf(kind: string, data: IDataObject, zone: string): string {
	if (kind === 'callAttempted') {
		const { campaignId, phoneNumber, startTime } = data;
		return callKey({ campaignId, phoneNumber, startTime }, zone, data);
	}
	if (kind === 'smsStatus') {
		const { phoneNumber, statusCode: status, parts, lastUpdated: changedAt } = data;
		return smsStatusKey({ phoneNumber, status, parts, changedAt }, zone, data);
	}
	return contentKey(kind, data);
}

/**
 * @param zone IANA zone of the service's times without designator
 * @param content what the key is made of where one of its parts is missing
 */
export function callKey(call: CallIdentity, zone: string, content: unknown): string {
	const { campaignId, phoneNumber, startTime } = call;
	const parts = [text(campaignId), digits(phoneNumber), wallClock(startTime, zone)];
	return join('call', parts, content);
}

/**
 * @param zone IANA zone of the service's times without designator
 * @param content what the key is made of where one of its parts is missing
 */
export function smsStatusKey(sms: SmsStatusIdentity, zone: string, content: unknown): string {
	const { phoneNumber, status, parts, changedAt } = sms;
	const values = [digits(phoneNumber), text(status), text(parts), wallClock(changedAt, zone)];
	return join('sms', values, content);
}

/** The key of a call record of a phone number (interface, "Call record fields"). */
export function listedCallKey(
	call: IDataObject,
	{ number: phoneNumber }: IDataObject,
	campaignId: string,
	zone: string,
): string {
	return callKey({ campaignId, phoneNumber, startTime: call.startTime }, zone, call);
}

/** The key of an SMS record of a phone number (interface, "SMS record fields"). */
export function listedSmsKey(
	sms: IDataObject,
	{ number: phoneNumber }: IDataObject,
	zone: string,
): string {
	const { status, smsCount: parts, dateReceived: changedAt } = sms;
	return smsStatusKey({ phoneNumber, status, parts, changedAt }, zone, sms);
}

/** A key of its own for content that has no name: equal content has equal keys. */
export function contentKey(kind: string, content: unknown): string {
	const hash = createHash('sha256').update(JSON.stringify(content) ?? '');
	return `${kind}/${hash.digest('hex').slice(0, 32)}`;
}

function join(kind: string, parts: readonly string[], content: unknown): string {
	// Without a part, different calls would share a key and be taken for duplicates.
	return parts.includes('') ? contentKey(kind, content) : [kind, ...parts].join('/');
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A number's digits: `+44 7700 900123` and `00447700900123` are the same number. */
function digits(value: unknown): string {
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
