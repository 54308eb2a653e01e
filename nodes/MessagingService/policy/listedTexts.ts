import type { IDataObject } from 'n8n-workflow';
import { DELIVERED, FAILED_STATUSES } from '../codes';
import { Failure } from '../failure';
import { isNothing } from '../parameters/values';
import { readNumber, type NumberOptions } from '../numbers/readNumber';
import { shown } from '../texts';
import { momentOf, wallClockOf } from '../times';
import { envelopeList } from '../transport/listRequests';
import { readRecent } from '../transport/recent';
import type { ReadClient } from '../transport/request';

/** A text in the list of the service (interface, "SMS message"). */
interface ListedText {
	/** When it was created: milliseconds since 1970. */
	at: number;
	campaignId: unknown;
	/** Whether it has reached somebody, or may; one that has failed keeps nobody out. */
	counts: boolean;
	/** Whether it may still fail. */
	mayFail: boolean;
}

const PAGE_SIZE = 1000;

/** A longer list in no order cannot be read before each run. */
const MAX_UNORDERED_PAGES = 20;

/** A message may be listed so long after it was created. */
const LISTED_AFTER_MS = 10 * 60_000;

/** How the list is read. */
interface ListedOptions {
	/** IANA zone of the service's clock. */
	zone: string;
	/** How the phone numbers in the list are read. */
	numbers: NumberOptions;
	/** Is told of each text that may still reach somebody: the person's key, and the IDs of the text. */
	observe(person: string, ids: readonly unknown[]): void;
}

/** The recent texts that the service lists, whoever has sent them. Each reading adds what is new. */
export class ListedTexts {
	private readonly byId = new Map<unknown, ListedText & { person: string }>();
	private readonly byPerson = new Map<string, ListedText[]>();
	/** All that were created from then on have been read. */
	private readFrom = Infinity;
	private readAt = -Infinity;
	private readonly options: ListedOptions;

	constructor(options: ListedOptions) {
		this.options = options;
	}

	/**
	 * Reads the list from its newest end, back to what is known and cannot change any more.
	 * @param from what was created from then on is wanted: milliseconds since 1970
	 * @throws Failure where it cannot be read, or a text of that time not be told
	 */
	async read(client: ReadClient, from: number): Promise<void> {
		const now = Date.now();
		const start = Math.max(from, this.firstToRead(from));
		const list = envelopeList(client, '/api/SMSMessages', PAGE_SIZE);
		const since = wallClockOf(start, this.options.zone);
		try {
			await readRecent({ ...list, since, maxUnorderedPages: MAX_UNORDERED_PAGES }, (record) =>
				this.take(record, from),
			);
		} catch (cause) {
			throw unread(Failure.of(cause));
		}
		this.readFrom = Math.min(this.readFrom, from);
		this.readAt = now;
		this.forget(from);
	}

	to(person: string): readonly ListedText[] {
		return this.byPerson.get(person) ?? [];
	}

	private firstToRead(from: number): number {
		if (this.readFrom > from) return from;
		let first = this.readAt - LISTED_AFTER_MS;
		for (const { at, mayFail } of this.byId.values()) if (mayFail && at < first) first = at;
		return first;
	}

	private take(record: IDataObject, from: number): void {
		const { zone, numbers, observe } = this.options;
		const { newId, campaignId, dateCreated, phoneNumber } = record;
		// Created later than now, it would be out of the hours: the zone or a clock is wrong.
		const at = Math.min(momentOf(dateCreated, zone), Date.now());
		if (at < from) return;
		const status = Number(record.status ?? NaN);
		const counts = !FAILED_STATUSES.includes(status);
		const reading = readNumber(phoneNumber, numbers);
		if (Number.isNaN(at) || reading.problem !== undefined || reading.e164 === undefined) {
			if (counts) throw unreadable(record, Number.isNaN(at));
			return;
		}
		observe(reading.key, [newId, campaignId]);
		const id = record.id ?? newId ?? record;
		const known = this.byId.get(id);
		const text = known ?? { at, campaignId, person: reading.key, counts, mayFail: counts };
		Object.assign(text, { counts, mayFail: counts && status !== DELIVERED });
		if (known !== undefined || !counts) return;
		this.byId.set(id, text);
		this.byPerson.set(reading.key, [...this.to(reading.key), text]);
	}

	/** What is too old to be asked for. */
	private forget(from: number): void {
		for (const [id, text] of this.byId) {
			if (text.at >= from) continue;
			this.byId.delete(id);
			const others = this.to(text.person).filter((each) => each !== text);
			if (others.length === 0) this.byPerson.delete(text.person);
			else this.byPerson.set(text.person, others);
		}
		this.readFrom = Math.max(this.readFrom, from);
	}
}

const NEEDED =
	'Hours Between Texts in the credential reads the list of messages before it sends; 0 switches it off. Nothing was sent.';

function unread(failure: Failure): Failure {
	if (failure.facts.field !== undefined) return failure;
	return failure.with({ description: `${failure.description} ${NEEDED}` });
}

/** A text of which it cannot be told whom it went to, or when. */
function unreadable({ phoneNumber, dateCreated }: IDataObject, isTime: boolean): Failure {
	if (!isTime) {
		const advice = 'Set Default Country in the credential, for numbers without country code.';
		return unreadableList(`an unreadable phone number (${shown(phoneNumber)})`, advice);
	}
	const time = isNothing(dateCreated)
		? 'a message without dateCreated'
		: `an unreadable time (${shown(dateCreated)})`;
	return unreadableList(time, 'Ask the service operator for its dateCreated.');
}

const unreadableList = (what: string, advice: string) =>
	Failure.ofField('The list of messages', `has ${what}`, `${advice} ${NEEDED}`);
