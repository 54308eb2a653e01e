import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../transport/request';

/** Who is reached when: messages from a start on, which may be empty, or calls on some days. */
export type KnownReach =
	| { kind: 'messages'; numbers: unknown[]; start: unknown }
	| { kind: 'calls'; numbers: unknown[]; days: IDataObject[] };

/** Whom a request can reach, by what the interface says about its endpoint. */
export type Reach =
	| KnownReach
	/** Nobody: it reads, stores a number, or registers a webhook URL. */
	| { kind: 'nobody' }
	/** The contacts of an existing campaign, which the request does not carry. */
	| { kind: 'campaign'; path: string; start: unknown }
	/** Possibly anybody. */
	| { kind: 'unknown' };

const NOBODY: Reach = { kind: 'nobody' };
const UNKNOWN: Reach = { kind: 'unknown' };

const SEND = /^\/api\/smsmessages$/;
const CREATE_SMS = /^\/api\/campaigns(\/true|\/false)?$/;
const CREATE_VOICE = /^\/api\/campaigns\/voice(\/true|\/false)?$/;
/** The client identifier may follow as last segment: a convention of the credential. */
const CREATE_FOR_CLIENT = /^\/api\/campaign\/voice(\/[^/]+)?$/;
const UPDATE = /^\/api\/campaigns\/[^/]+$/;
const STORE = /^\/api\/phonenumberstorageitem$/;
const REGISTER = /^\/api\/integrations\/updatewebhook(\/[^/]+)?$/;

/**
 * Whom a request reaches. An endpoint that is not listed here reaches unknown recipients, and the
 * policy refuses it: also a new or an undocumented one.
 * Paths are case-insensitive (interface, "Endpoints").
 */
export function reachOf({ method, path, body }: ServiceRequest): Reach {
	if (method === 'GET') return NOBODY;
	const place = path
		.toLowerCase()
		.replace(/\/{2,}/g, '/')
		.replace(/(.)\/$/, '$1');
	if (STORE.test(place) || REGISTER.test(place)) return NOBODY;
	if (body === undefined) return UNKNOWN;
	if (SEND.test(place)) return { kind: 'messages', numbers: [body.phoneNumber], start: undefined };
	if (CREATE_SMS.test(place)) {
		const numbers = numbersOf(body.contacts, 'phoneNumber');
		return { kind: 'messages', numbers, start: body.startDateTime };
	}
	if (CREATE_VOICE.test(place) || CREATE_FOR_CLIENT.test(place)) {
		const numbers = numbersOf(body.phoneNumbers, 'number');
		return { kind: 'calls', numbers, days: daysOf(body) };
	}
	return UPDATE.test(place) ? { kind: 'campaign', path, start: body.startDateTime } : UNKNOWN;
}

function numbersOf(list: unknown, name: string): unknown[] {
	const entries = (Array.isArray(list) ? list : []) as (IDataObject | null)[];
	return entries.map((entry) => entry?.[name]);
}

/** The days of a voice campaign: the first, and those of `runoverDays`. */
function daysOf({ startDate, startTime, finishTime, runoverDays }: IDataObject): IDataObject[] {
	const others = Array.isArray(runoverDays) ? (runoverDays as IDataObject[]) : [];
	return [{ date: startDate, startTime, finishTime }, ...others];
}

const MINUTE = 60_000;

/** When a request reaches people: windows, each with its first instant and the one behind its last. */
export type Timing = readonly (readonly [number, number])[];

/**
 * When messages go out, or calls are made.
 * @param zone IANA zone of the service's clock
 * @returns undefined where the start or a day cannot be read
 */
export function timingOf(reach: KnownReach, now: number, zone: string): Timing | undefined {
	return reach.kind === 'messages' ? ofMessages(reach.start, now) : ofCalls(reach.days, zone);
}

/** In the minute of the start that the request has, or now where it has none or a past one. */
function ofMessages(start: unknown, now: number): Timing | undefined {
	if (start === undefined || start === null || start === '') return [[now, now + MINUTE]];
	const at = Math.max(DateTime.fromISO(String(start as string), { zone: 'utc' }).toMillis(), now);
	return Number.isNaN(at) ? undefined : [[at, at + MINUTE]];
}

function ofCalls(days: readonly IDataObject[], zone: string): Timing | undefined {
	const windows = days.map((day) => {
		const at = (time: unknown) =>
			DateTime.fromISO(`${String(day.date as string)}T${String(time as string)}`, { zone });
		return [at(day.startTime).toMillis(), at(day.finishTime).toMillis()] as const;
	});
	return windows.every(([start, end]) => end > start) ? windows : undefined;
}
