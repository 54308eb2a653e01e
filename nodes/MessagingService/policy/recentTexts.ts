import type { NumberOptions } from '../numbers/readNumber';
import type { ReadClient } from '../transport/request';
import { SharedReadings } from '../transport/sharedReadings';
import { clientKeyOf } from '../transport/settings';
import { ListedTexts } from './listedTexts';
import { SentTexts, type SentNote } from './sentTexts';

/** For so long, a reading of the list is shared by all runs. */
const SHARED_MS = 30_000;

const HOUR_MS = 3_600_000;

interface Account {
	sent: SentTexts;
	/** By the time zone and the country with which the list is read, and how many hours back. */
	lists: Map<string, ListedTexts>;
	readings: SharedReadings<ListedTexts>;
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
	const account: Account = accounts.get(key) ?? newAccount();
	accounts.set(key, account);
	const { sent, lists, readings } = account;
	const kind = JSON.stringify([zone, numbers, hours]);
	const observe = (person: string, ids: readonly unknown[]) => {
		if (!sent.list(person, ids)) return;
		// Other readings may not have the text yet, which counts by the list only from now on.
		for (const other of lists.keys()) if (other !== kind) readings.forget(other);
	};
	const list = lists.get(kind) ?? new ListedTexts({ zone, numbers, observe });
	lists.set(kind, list);
	const { readAt, value: listed } = await readings.get(kind, async (now) => {
		await list.read(client, now - hours * HOUR_MS);
		return list;
	});
	sent.expire(readAt);
	return new RecentTexts(readAt, listed, sent);
}

const newAccount = (): Account => ({
	sent: new SentTexts(),
	lists: new Map(),
	readings: new SharedReadings(SHARED_MS),
});
