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
