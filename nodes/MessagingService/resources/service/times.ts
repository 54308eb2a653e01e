import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { ask, failed, ok, set, type Finding } from './finding';
import type { Paging } from './paging';
import type { List } from './probe';

const ORDER = 'In what order are records?';
const TIMES = 'In which time zone are times?';

/** Which way the records of a list go. */
type Order = 'newest first' | 'oldest first' | 'no order';

/** By their dates of creation: at least three records tell. */
function orderOf({ records }: List): Order | undefined {
	const times = records.map(createdAt).filter((time) => time !== '');
	if (times.length < 3 || new Set(times).size === 1) return undefined;
	const pairs = times.slice(1).map((time, index) => time.localeCompare(times[index] ?? ''));
	if (pairs.every((sign) => sign <= 0)) return 'newest first';
	return pairs.every((sign) => sign >= 0) ? 'oldest first' : 'no order';
}

function notRead(question: string): Finding {
	const found = 'not tried: the list of SMS messages was not read';
	return failed(question, found, 'See the question about that list.');
}

/** @param messages their largest page; undefined where their list was not read */
export function orderFinding(messages: List | undefined): Finding {
	if (messages === undefined) return notRead(ORDER);
	const order = orderOf(messages);
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

/** The page with the newest message: the last one of a list that begins with the oldest. */
export async function readNewest(
	messages: List | undefined,
	{ largest, readLast }: Paging,
): Promise<List | undefined> {
	const isElsewhere =
		messages !== undefined && messages === largest && orderOf(messages) === 'oldest first';
	if (!isElsewhere) return messages;
	return (await readLast?.().catch(() => undefined)) ?? messages;
}

/** How a zone fits: the newest message may be old, but not from the future. */
const MAX_AHEAD_MS = 2 * 60_000;
const MAX_RECENT_MS = 15 * 60_000;

/**
 * Compares the newest time of the messages with the clock of the service (the Date header). Read in
 * the right zone, it is not ahead of it.
 * @param messages their page with the newest one; undefined where their list was not read
 * @param ownZone the Service Time Zone of the credential; empty without one
 */
export function zoneFinding(
	messages: List | undefined,
	ownZone: string,
	workflowZone: string,
): Finding {
	if (messages === undefined) return notRead(TIMES);
	const newest = messages.records.map(createdAt).sort().at(-1) ?? '';
	const question = 'In which time zone are the times that have none, such as dateCreated?';
	if (newest === '') return ask(TIMES, 'not tried: there is no SMS message', question);
	if (/(Z|[+-]\d\d:?\d\d)$/i.test(newest)) return ok(TIMES, 'times have a zone');
	const now = messages.date ?? Date.now();
	const ageIn = (zone: string) => now - DateTime.fromISO(newest, { zone }).toMillis();
	const isRecent = (zone: string) => ageIn(zone) >= -MAX_AHEAD_MS && ageIn(zone) <= MAX_RECENT_MS;
	const zone = ownZone || workflowZone;
	const name = ownZone === '' ? `${zone}, that of the workflow` : zone;
	const minutesOld = Math.round(ageIn(zone) / 60_000);
	if (isRecent(zone)) return ok(TIMES, `they fit ${name}`);
	if (ownZone !== '' && minutesOld > 0) {
		return ok(TIMES, `they fit ${name}, if the newest was sent ${minutesOld} minutes ago`);
	}
	const found =
		minutesOld < 0
			? `read in ${name}, the newest lies ${-minutesOld} minutes ahead of the clock of the service`
			: `without a zone; the newest is too old to tell whether it is ${name}`;
	const other = [workflowZone, 'UTC'].find(isRecent);
	return other === undefined
		? ask(TIMES, found, question)
		: set(TIMES, found, 'Service Time Zone', other);
}

/** When a record was created, as ISO 8601 in the zone of the service; empty where it does not tell. */
function createdAt({ dateCreated }: IDataObject): string {
	const text = typeof dateCreated === 'string' ? dateCreated.trim().replace(' ', 'T') : '';
	return /^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT/.test(text) ? text : '';
}
