import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import {
	ANSWERED,
	codeName,
	DELIVERED,
	FAILED_STATUSES,
	OPT_IN,
	OPT_OUT,
	OUTCOMES,
	SMS_STATUSES,
	STAGES,
} from '../codes';
import { contentHash, eventKeyOf, type EventKind } from './eventKey';

/** An event as it arrived: the shape that every event body has. */
export interface ServiceEvent {
	webHookType: number;
	data: IDataObject;
}

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

/** Fields that a decoded event has under other names only. */
const RENAMED_FIELDS = new Set(['outCome', 'Id', 'id']);

/** No call takes longer. */
const DAY_SECONDS = 86_400;

/** Reads a delivered body, or tells why it is no event; `webHookType` may be a number or its text. */
export function readEvent(body: unknown): ServiceEvent | string {
	if (!isObject(body)) return 'The body is not a JSON object';
	const webHookType = toNumber(body.webHookType);
	if (!Number.isSafeInteger(webHookType)) return 'webHookType is missing or not an integer';
	if (!isObject(body.data)) return 'data is missing or not an object';
	return { webHookType: Number(webHookType), data: body.data };
}

/**
 * The flat record of an event, with names beside codes. Times are ISO 8601 as received.
 * @param zone IANA zone of the service's times without designator
 */
export function decodeEvent(event: ServiceEvent, zone = 'UTC'): DecodedEvent {
	const { data, webHookType } = event;
	const kind = KINDS[webHookType] ?? 'unknown';
	const ids = { eventId: contentHash(event), eventKey: eventKeyOf(kind, data, zone) };
	// What its fields mean is not known: they stay as they are.
	if (kind === 'unknown') {
		const head = { event: kind, webHookType };
		// Twice: once for its place, once because a field of the event must not take it.
		return { ...head, ...data, ...head, ...ids };
	}
	const record = documentedFields(data, kind);
	const identifiers = {
		campaignId: toText(data.campaignId),
		clientId: data.clientId ?? null,
		messageId: data.Id ?? data.id ?? null,
		phoneNumberId: data.phoneNumberId ?? null,
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
function documentedFields(data: IDataObject, kind: EventKind) {
	const outcome = readCode(OUTCOMES, data.outCome ?? data.outcome);
	const stage = readCode(STAGES, data.stage);
	const status = readCode(SMS_STATUSES, data.statusCode);
	// False would say that the event is of the kind and not so: an SMS was not "not answered".
	const flag = (ofKind: EventKind, { code }: Code, ...codes: readonly number[]) =>
		kind === ofKind && code !== null ? codes.includes(code) : null;
	return {
		event: kind,
		phoneNumber: toText(data.phoneNumber),
		outcome: outcome.name,
		stage: stage.name,
		status: status.name,
		answered: flag('callAttempted', outcome, ANSWERED),
		optedIn: flag('callAttempted', stage, OPT_IN),
		optedOut: flag('callAttempted', stage, OPT_OUT),
		delivered: flag('smsStatus', status, DELIVERED),
		failed: flag('smsStatus', status, ...FAILED_STATUSES),
		userInput: data.userInput ?? null,
		startTime: data.startTime ?? null,
		endTime: data.endTime ?? null,
		durationSeconds: secondsBetween(data.startTime, data.endTime),
		// What is no number is passed on as received.
		parts: toNumber(data.parts) ?? data.parts ?? null,
		price: toNumber(data.price) ?? data.price ?? null,
		dateCreated: data.dateCreated ?? null,
		lastUpdated: data.lastUpdated ?? null,
		outcomeCode: outcome.code,
		stageCode: stage.code,
		statusCode: status.code,
	};
}

interface Code {
	code: number | null;
	/** The name of the code; what is no code is passed on as text. */
	name: string | null;
}

function readCode(table: Readonly<Record<number, string>>, value: unknown): Code {
	const code = toNumber(value) ?? null;
	return { code, name: code === null ? toText(value) : codeName(table, code) };
}

/** A number, or the number that a text is. */
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

/** Null where a time is missing, or the two are not those of a call: one of them may stand for none. */
function secondsBetween(start: unknown, end: unknown): number | null {
	if (typeof start !== 'string' || typeof end !== 'string') return null;
	const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
	return seconds >= 0 && seconds <= DAY_SECONDS ? seconds : null;
}
