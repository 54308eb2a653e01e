import type { NumberOptions } from '../numbers/readNumber';
import type { ReadClient } from '../transport/request';
import { clientKeyOf } from '../transport/settings';
import { ListedTexts } from './listedTexts';
import { SentTexts, type SentNote } from './sentTexts';

/** For so long, a reading of the list is shared by all runs. */
const SHARED_MS = 30_000;

const HOUR_MS = 3_600_000;

/** What is known of one list of the service, and how fresh it is. */
interface Reading {
	listed: ListedTexts;
	/** How many hours back it is read: as many as the credentials of the account ask for. */
	hours: number;
	latest?: { readAt: number; hours: number; done: Promise<void> } | undefined;
}

interface Account {
	sent: SentTexts;
	/** By the time zone and the country with which the list is read. */
	readings: Map<string, Reading>;
}

/** The accounts of this process for which a policy has hours between texts. */
const accounts = new Map<string, Account>();

/** What tells accounts apart: the client, also with another key, or the key where there is none. */
const keyOf = ({ account, settings }: Pick<ReadClient, 'account' | 'settings'>) =>
	settings.clientId === '' ? account : clientKeyOf(settings);

/** What this process sends with an account; undefined where no policy asks for it. */
export function sentTextsOf(client: ReadClient): SentTexts | undefined {
	return accounts.get(keyOf(client))?.sent;
}

/** The recent texts of an account, as they were read at one time; what this process sends is added. */
export class RecentTexts {
	/** Milliseconds since 1970. */
	readonly readAt: number;
	private readonly listed: ListedTexts;
	private readonly sent: SentTexts;

	constructor(readAt: number, listed: ListedTexts, sent: SentTexts) {
		this.readAt = readAt;
		this.listed = listed;
		this.sent = sent;
	}

	/**
	 * When somebody gets other texts than those of a request.
	 * @param own what is noted of the request
	 * @param campaignId the campaign that it changes: its texts are the same ones
	 */
	timesOf(person: string, own: SentNote | undefined, campaignId: string | undefined): number[] {
		const isOther = (id: unknown) =>
			campaignId === undefined || String(id as string).toLowerCase() !== campaignId;
		const listed = this.listed
			.to(person)
			.filter((text) => text.counts && isOther(text.campaignId))
			.map(({ at }) => at);
		const sent = this.sent
			.to(person)
			.filter((note) => note !== own && isOther(note.id))
			.map(({ at }) => at);
		return [...listed, ...sent];
	}
}

/**
 * Reads the texts of the last hours, unless that was done a short time ago.
 * @param zone IANA zone of the service's clock
 * @throws what reading the list throws
 */
export async function readRecentTexts(
	client: ReadClient,
	{ zone, hours, numbers }: { zone: string; hours: number; numbers: NumberOptions },
): Promise<RecentTexts> {
	const key = keyOf(client);
	const account: Account = accounts.get(key) ?? { sent: new SentTexts(), readings: new Map() };
	accounts.set(key, account);
	const { sent, readings } = account;
	const kind = JSON.stringify([zone, numbers]);
	const observe = (person: string, ids: readonly unknown[]) => {
		if (!sent.list(person, ids)) return;
		// Other readings may not have the text yet, which counts by the list only from now on.
		for (const [each, other] of readings) if (each !== kind) other.latest = undefined;
	};
	const reading: Reading = readings.get(kind) ?? {
		listed: new ListedTexts({ zone, numbers, observe }),
		hours,
	};
	readings.set(kind, reading);
	reading.hours = Math.max(reading.hours, hours);
	// It fails as well where the execution that reads is cancelled.
	await reading.latest?.done.catch(() => undefined);
	const latest = isFresh(reading) ? reading.latest : start(client, reading);
	await latest.done;
	sent.expire(latest.readAt);
	return new RecentTexts(latest.readAt, reading.listed, sent);
}

function isFresh(reading: Reading): reading is Reading & Required<Pick<Reading, 'latest'>> {
	const { latest, hours } = reading;
	// Also after the clock was set back.
	const age = Math.abs(Date.now() - (latest?.readAt ?? -Infinity));
	return age < SHARED_MS && latest?.hours === hours;
}

function start(client: ReadClient, reading: Reading): NonNullable<Reading['latest']> {
	const { listed, hours } = reading;
	const readAt = Date.now();
	const latest = { readAt, hours, done: listed.read(client, readAt - hours * HOUR_MS) };
	reading.latest = latest;
	latest.done.catch(() => {
		if (reading.latest === latest) reading.latest = undefined;
	});
	return latest;
}
