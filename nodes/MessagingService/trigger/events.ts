import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import { codeName, OUTCOMES, SMS_STATUSES, STAGES } from '../codes';

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

const KINDS: Readonly<Record<number, EventKind>> = { 0: 'callAttempted', 1: 'smsStatus' };

const OPT_IN_STAGE = 13;
const OPT_OUT_STAGE = 14;
const ANSWERED_OUTCOME = 1;
const DELIVERED_STATUS = 1;

/** Statuses after which a message will not arrive any more: expired, deleted, rejected, ... */
const FAILED_STATUSES = new Set([3, 4, 5, 7, 34, 1000]);

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a delivered body; `webHookType` may be a number or its digits. */
export function readEvent(body: unknown): EventReading {
	if (!isObject(body)) return { problem: 'The body is not a JSON object' };
	const webHookType = toNumber(body.webHookType);
	if (webHookType === undefined || !Number.isInteger(webHookType)) {
		return { problem: 'webHookType is missing or not an integer' };
	}
	if (!isObject(body.data)) return { problem: 'data is missing or not an object' };
	return { event: { webHookType, data: body.data } };
}

export function kindOf({ webHookType }: ServiceEvent): EventKind {
	return KINDS[webHookType] ?? 'unknown';
}

/**
 * One flat record of an event, with names beside codes. Times are ISO 8601 as received,
 * `durationSeconds` is their difference, `eventId` is the same for a repeated delivery.
 */
export function decodeEvent(event: ServiceEvent): IDataObject {
	const kind = kindOf(event);
	const common = { event: kind, eventId: eventId(event) };
	if (kind === 'callAttempted') return { ...common, ...decodeCall(event.data) };
	if (kind === 'smsStatus') return { ...common, ...decodeSms(event.data) };
	return { ...common, webHookType: event.webHookType, ...event.data };
}

/** Event webHookType 0. */
function decodeCall(data: IDataObject): IDataObject {
	const outcomeCode = toNumber(data.outCome ?? data.outcome);
	const stageCode = toNumber(data.stage);
	return {
		clientId: data.clientId,
		campaignId: toText(data.campaignId),
		phoneNumber: toText(data.phoneNumber),
		outcomeCode,
		outcome: nameOf(OUTCOMES, outcomeCode),
		stageCode,
		stage: nameOf(STAGES, stageCode),
		answered: outcomeCode === ANSWERED_OUTCOME,
		optedIn: stageCode === OPT_IN_STAGE,
		optedOut: stageCode === OPT_OUT_STAGE,
		startTime: data.startTime,
		endTime: data.endTime,
		durationSeconds: secondsBetween(data.startTime, data.endTime),
		userInput: data.userInput,
	};
}

/** Event webHookType 1. */
function decodeSms(data: IDataObject): IDataObject {
	const statusCode = toNumber(data.statusCode);
	return {
		clientId: data.clientId,
		messageId: data.Id ?? data.id,
		phoneNumberId: data.phoneNumberId,
		phoneNumber: toText(data.phoneNumber),
		statusCode,
		status: nameOf(SMS_STATUSES, statusCode),
		delivered: statusCode === DELIVERED_STATUS,
		failed: statusCode !== undefined && FAILED_STATUSES.has(statusCode),
		parts: toNumber(data.parts),
		price: toNumber(data.price),
		dateCreated: data.dateCreated,
		lastUpdated: data.lastUpdated,
	};
}

function nameOf(table: Readonly<Record<number, string>>, code: number | undefined) {
	return code === undefined ? undefined : codeName(table, code);
}

function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const number = Number(value);
	return Number.isNaN(number) ? undefined : number;
}

function toText(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function secondsBetween(start: unknown, end: unknown): number | undefined {
	if (typeof start !== 'string' || typeof end !== 'string') return undefined;
	const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
	return Number.isNaN(seconds) ? undefined : seconds;
}

/** A hash of the event's content, whatever the order of its fields. */
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
