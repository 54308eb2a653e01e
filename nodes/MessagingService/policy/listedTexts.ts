import { compact, groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { FAILED_STATUSES } from '../codes';
import { Failure } from '../failure';
import { isNothing } from '../parameters/values';
import { readNumber, type NumberOptions } from '../numbers/readNumber';
import { shown } from '../texts';
import { momentOf, wallClockOf } from '../times';
import { messageList, PAGE_SIZE } from '../transport/listRequests';
import { readRecent } from '../transport/recent';
import type { ReadClient } from '../transport/request';

/** A text in the list of the service (interface, "SMS message"). */
interface ListedText {
	/** When it was created: milliseconds since 1970. */
	at: number;
	/** The key of the person who gets it. */
	person: string;
	/** What the service calls it: the ID of the message, and of its campaign; in lower case. */
	ids: readonly string[];
	/** Whether it has failed: then it keeps nobody out. */
	hasFailed: boolean;
}

/** The texts of each person, by the person's key. */
export type ListedTexts = Readonly<Partial<Record<string, readonly ListedText[]>>>;

/** The same text for the same person; undefined where that cannot be told. */
export function knownPerson(number: unknown, options: NumberOptions): string | undefined {
	const reading = readNumber(number, options);
	return reading.problem === undefined && reading.e164 !== undefined ? reading.key : undefined;
}

/** A longer list in no order cannot be read before each run. */
const MAX_UNORDERED_PAGES = 20;

/** Which part of the list is read, and how. */
interface ListedOptions {
	/** What was created from then on is wanted: milliseconds since 1970. */
	from: number;
	/** IANA zone of the service's clock. */
	zone: string;
	/** How the phone numbers in the list are read. */
	numbers: NumberOptions;
}

/**
 * Reads the recent texts that the service lists, whoever has sent them.
 * @throws Failure where the list cannot be read, or has a text of which nobody can tell whom it went
 * to, or when
 */
export async function readListedTexts(
	client: ReadClient,
	options: ListedOptions,
): Promise<ListedTexts> {
	const list = messageList(client, PAGE_SIZE);
	const since = wallClockOf(options.from, options.zone);
	const request = { ...list, since, maxUnorderedPages: MAX_UNORDERED_PAGES };
	try {
		const { records } = await readRecent(request, (record) => toListedText(record, options));
		return groupBy(compact(records), 'person');
	} catch (cause) {
		throw unread(Failure.of(cause));
	}
}

/** @returns undefined where it does not matter: it is older, or has failed and cannot be read */
function toListedText(
	record: IDataObject,
	{ from, zone, numbers }: ListedOptions,
): ListedText | undefined {
	const { newId, campaignId, dateCreated, phoneNumber } = record;
	// Created later than now, it would be out of the hours: the zone or a clock is wrong.
	const at = Math.min(momentOf(dateCreated, zone), Date.now());
	if (at < from) return undefined;
	const hasFailed = FAILED_STATUSES.includes(Number(record.status ?? NaN));
	const person = knownPerson(phoneNumber, numbers);
	if (Number.isNaN(at) || person === undefined) {
		if (hasFailed) return undefined;
		throw Number.isNaN(at) ? unreadableTime(dateCreated) : unreadableNumber(phoneNumber);
	}
	const ids = compact([newId, campaignId]).map((id) => String(id as string).toLowerCase());
	return { at, person, ids, hasFailed };
}

const NEEDED =
	'Hours Between Texts in the credential reads the list of messages before it sends; 0 switches it off. This request was not sent.';

function unread(failure: Failure): Failure {
	if (failure.facts.field !== undefined) return failure;
	return failure.with({ description: `${failure.description} ${NEEDED}` });
}

function unreadableNumber(phoneNumber: unknown): Failure {
	const advice = 'Set Default Country in the credential, for numbers without country code.';
	return unreadableList(`an unreadable phone number (${shown(phoneNumber)})`, advice);
}

function unreadableTime(dateCreated: unknown): Failure {
	const time = isNothing(dateCreated)
		? 'a message without dateCreated'
		: `an unreadable time (${shown(dateCreated)})`;
	return unreadableList(time, 'Ask the service operator for its dateCreated.');
}

const unreadableList = (what: string, advice: string) =>
	Failure.ofField('The list of messages', `has ${what}`, `${advice} ${NEEDED}`);
