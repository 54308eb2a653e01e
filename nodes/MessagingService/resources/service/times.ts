import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { ask, ok, set, type Finding } from './finding';
import type { List } from './lists';

const ORDER = 'In what order are records?';
const TIMES = 'In which time zone are times?';

/** Which way the records of a list go. */
export type Order = 'newest first' | 'oldest first' | 'no order';

/** By their dates of creation: at least three records tell. */
export function orderOf({ records }: List): Order | undefined {
	const times = records.map(createdAt).filter((time) => time !== '');
	if (times.length < 3 || new Set(times).size === 1) return undefined;
	const pairs = times.slice(1).map((time, index) => time.localeCompare(times[index] ?? ''));
	if (pairs.every((sign) => sign <= 0)) return 'newest first';
	return pairs.every((sign) => sign >= 0) ? 'oldest first' : 'no order';
}

export function orderFinding(order: Order | undefined): Finding {
	if (order === undefined) {
		const advice = 'Are the records of a list in the order of their dates?';
		return ask(ORDER, 'not tried: there are too few SMS messages', advice);
	}
	return order === 'no order'
		? ask(
				ORDER,
				'no order: triggers and summaries read the whole list',
				'Can lists be in the order of dateCreated? Which query parameter sorts them?',
			)
		: ok(ORDER, order);
}

/** How a zone fits: the newest message may be old, but not from the future. */
const MAX_AHEAD_MS = 2 * 60_000;
const MAX_RECENT_MS = 15 * 60_000;

/** What decides about the time zone. */
export interface ZoneQuestion {
	/** The messages of the newest page that was read. */
	messages: List | undefined;
	/** The Service Time Zone of the credential; empty without one. */
	ownZone: string;
	workflowZone: string;
}

/**
 * Compares the newest time of the messages with the clock of the service (the Date header). Read in
 * the right zone, it is not ahead of it.
 */
export function zoneFinding({ messages, ownZone, workflowZone }: ZoneQuestion): Finding {
	const newest = (messages?.records ?? []).map(createdAt).sort().at(-1) ?? '';
	const question = 'In which time zone are the times that have none, such as dateCreated?';
	if (newest === '') return ask(TIMES, 'not tried: there is no SMS message', question);
	if (/(Z|[+-]\d\d:?\d\d)$/i.test(newest)) return ok(TIMES, 'times have a zone');
	const now = messages?.date ?? Date.now();
	const ageIn = (zone: string) => now - DateTime.fromISO(newest, { zone }).toMillis();
	const zone = ownZone || workflowZone;
	const name = ownZone === '' ? `${zone}, that of the workflow` : zone;
	const age = ageIn(zone);
	const isRecent = (each: string) => ageIn(each) >= -MAX_AHEAD_MS && ageIn(each) <= MAX_RECENT_MS;
	const isKnown = age >= -MAX_AHEAD_MS && (ownZone !== '' || isRecent(zone));
	const minutes = Math.round(-age / 60_000);
	if (isKnown) {
		const condition = `, if the newest was sent ${-minutes} minutes ago`;
		return ok(TIMES, `they fit ${name}${isRecent(zone) ? '' : condition}`);
	}
	const found =
		minutes > 0
			? `read in ${name}, the newest lies ${minutes} minutes ahead of the clock of the service`
			: `without a zone; the newest is too old to tell whether it is ${name}`;
	const other = [workflowZone, 'UTC'].find(isRecent);
	if (other === undefined) return ask(TIMES, found, question);
	const advice = 'Switch on Service Conventions in the credential and enter it there.';
	return set(TIMES, found, { setting: 'Service Time Zone', value: other, advice });
}

/** When a record was created, as ISO 8601 in the zone of the service; empty where it does not tell. */
function createdAt({ dateCreated }: IDataObject): string {
	const text = typeof dateCreated === 'string' ? dateCreated.trim().replace(' ', 'T') : '';
	return /^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT/.test(text) ? text : '';
}
