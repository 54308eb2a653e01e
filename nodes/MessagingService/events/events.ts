import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import { isObject } from '../json';
import { codeName, OUTCOMES, SMS_STATUSES, STAGES } from '../codes';
import { eventKeyOf } from './eventKey';

/** The event kinds of the interface (section "Events"), and everything it may get in the future. */
export type EventKind = 'callAttempted' | 'smsStatus' | 'unknown';

/** An event as it arrived: the shape that every event body has. */
export interface ServiceEvent {
	webHookType: number;
	data: IDataObject;
}

/** A body that is an event, or why it is none. */
export type EventReading =
	{ event: ServiceEvent; problem?: undefined } | { event?: undefined; problem: string };

/**
 * One flat record for every kind of event. Fields and flags that an event does not have are null.
 * Fields that the interface does not list follow under their own names.
 */
export interface DecodedEvent extends IDataObject {
	event: EventKind;
	/** The same for a repeated delivery, different for different events. */
	eventId: string;
	/** The same for the same call or SMS status, however it was received. */
	eventKey: string;
}

const KINDS: Readonly<Record<number, EventKind>> = { 0: 'callAttempted', 1: 'smsStatus' };

const OPT_IN_STAGE = 13;
const OPT_OUT_STAGE = 14;
const ANSWERED_OUTCOME = 1;
const DELIVERED_STATUS = 1;

/** Statuses after which a message will not arrive any more: expired, deleted, rejected, ... */
const FAILED_STATUSES = new Set([3, 4, 5, 7, 34, 1000]);

/** Fields that a decoded event has under other names only. */
const RENAMED_FIELDS = new Set(['outCome', 'Id', 'id']);

/** Reads a delivered body; `webHookType` may be a number or its digits. */
export function readEvent(body: unknown): EventReading {
	if (!isObject(body)) return { problem: 'The body is not a JSON object' };
	const webHookType = toInteger(body.webHookType);
	if (webHookType === undefined) {
		return { problem: 'webHookType is missing or not an integer' };
	}
	if (!isObject(body.data)) return { problem: 'data is missing or not an object' };
	return { event: { webHookType, data: body.data } };
}

/**
 * The flat record of an event, with names beside codes. Times are ISO 8601 as received.
 * @param zone IANA zone of the service's times without designator
 */
export function decodeEvent(event: ServiceEvent, zone = 'UTC'): DecodedEvent {
	const { data, webHookType } = event;
	const kind = KINDS[webHookType] ?? 'unknown';
	const ids = { eventId: eventId(event), eventKey: eventKeyOf(kind, data, zone) };
	// What its fields mean is not known: they stay as they are.
	if (kind === 'unknown') {
		const head = { event: kind, webHookType };
		// Twice: once for its place, once because a field of the event must not take it.
		return { ...head, ...data, ...head, ...ids };
	}
	const record = documentedFields(event, kind);
	const identifiers = {
		campaignId: toText(data.campaignId),
		clientId: orNull(data.clientId),
		messageId: orNull(data.Id ?? data.id),
		phoneNumberId: orNull(data.phoneNumberId),
		...ids,
	};
	const documented = { ...record, ...identifiers };
	const extra = Object.entries(data).filter(
		([name]) => !RENAMED_FIELDS.has(name) && !Object.hasOwn(documented, name),
	);
	// What people look at first comes first; identifiers come last.
	return { ...record, ...Object.fromEntries(extra), ...identifiers };
}

/** The fields that the interface lists, without identifiers. What the event does not have is null. */
function documentedFields({ data }: ServiceEvent, kind: EventKind) {
	const outcomeCode = orNull(toNumber(data.outCome ?? data.outcome));
	const stageCode = orNull(toNumber(data.stage));
	const statusCode = orNull(toNumber(data.statusCode));
	const isCall = kind === 'callAttempted';
	// False would say that the event is of the kind and not so: an SMS was not "not answered".
	const flag = (isOfKind: boolean, code: number | null, isSet: boolean) =>
		isOfKind && code !== null ? isSet : null;
	return {
		event: kind,
		phoneNumber: toText(data.phoneNumber),
		outcome: nameOf(OUTCOMES, outcomeCode, data.outCome ?? data.outcome),
		stage: nameOf(STAGES, stageCode, data.stage),
		status: nameOf(SMS_STATUSES, statusCode, data.statusCode),
		answered: flag(isCall, outcomeCode, outcomeCode === ANSWERED_OUTCOME),
		optedIn: flag(isCall, stageCode, stageCode === OPT_IN_STAGE),
		optedOut: flag(isCall, stageCode, stageCode === OPT_OUT_STAGE),
		delivered: flag(!isCall, statusCode, statusCode === DELIVERED_STATUS),
		failed: flag(!isCall, statusCode, FAILED_STATUSES.has(statusCode ?? Number.NaN)),
		userInput: orNull(data.userInput),
		startTime: orNull(data.startTime),
		endTime: orNull(data.endTime),
		durationSeconds: secondsBetween(data.startTime, data.endTime),
		parts: numberOr(data.parts),
		price: numberOr(data.price),
		dateCreated: orNull(data.dateCreated),
		lastUpdated: orNull(data.lastUpdated),
		outcomeCode,
		stageCode,
		statusCode,
	};
}

function orNull<Value>(value: Value | undefined): Value | null {
	return value ?? null;
}

/** A number; what is none is passed on as received. */
function numberOr(value: unknown) {
	return toNumber(value) ?? orNull(value as IDataObject[string]);
}

/** The name of a code; what is no code is passed on as text. */
function nameOf(
	table: Readonly<Record<number, string>>,
	code: number | null,
	received: unknown,
): string | null {
	return code === null ? toText(received) : codeName(table, code);
}

/** An integer, or its digits. */
function toInteger(value: unknown): number | undefined {
	const isDigits = typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value);
	const number = isDigits ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const number = Number(value);
	return Number.isNaN(number) ? undefined : number;
}

function toText(value: unknown): string | null {
	if (value === undefined || value === null) return null;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function secondsBetween(start: unknown, end: unknown): number | null {
	if (typeof start !== 'string' || typeof end !== 'string') return null;
	const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
	return Number.isNaN(seconds) ? null : seconds;
}

/** A hash of the event's content. The order of its fields does not matter. */
function eventId(event: ServiceEvent): string {
	return createHash('sha256')
		.update(JSON.stringify(sortKeys(event)))
		.digest('hex')
		.slice(0, 32);
}

function sortKeys(value: unknown): unknown {
	// Not as an array, which is what an object becomes below.
	if (Array.isArray(value)) return { list: value.map(sortKeys) };
	if (!isObject(value)) return value;
	// Pairs instead of an object: a field named __proto__ stays a field.
	return Object.keys(value)
		.sort()
		.map((key) => [key, sortKeys(value[key])]);
}
