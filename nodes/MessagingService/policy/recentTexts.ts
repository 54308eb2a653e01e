import type { NumberOptions } from '../numbers/readNumber';
import { HOUR_MS, MINUTE_MS } from '../times';
import type { ReadClient } from '../transport/request';
import { SharedReadings } from '../transport/sharedReadings';
import { clientKeyOf } from '../transport/settings';
import { MAX_AGE_MS } from './refused';
import { readListedTexts, type ListedTexts } from './listedTexts';
import { MAX_HOURS } from './rules/hoursBetweenTexts';
import { SentTexts, type SentRequest } from './sentTexts';

/** For so long, a reading of the list is shared by all runs. */
const SHARED_MS = 30_000;

/** What was sent is listed after so long, if it was accepted. */
const LISTED_AFTER_MS = 10 * MINUTE_MS;

interface AccountTexts {
	/** What this process sends. */
	sent: SentTexts;
	/** What the service lists, by how it is read. */
	readings: SharedReadings<ListedTexts>;
}

/** The accounts of this process for which a policy has hours between texts. */
const accounts = new Map<string, AccountTexts>();

/** What tells accounts apart: the client, also with another key, or the key where there is none. */
const keyOf = ({ accountKey, settings }: Pick<ReadClient, 'accountKey' | 'settings'>) =>
	settings.clientId === '' ? accountKey : clientKeyOf(settings);

const textsTo = (person: string, listed: ListedTexts) => listed[person] ?? [];

/** Whether the service lists what this process has sent to somebody: then its list tells. */
const isListed = ({ id }: SentRequest, texts: ReturnType<typeof textsTo>) =>
	id !== undefined && texts.some(({ ids }) => ids.includes(id));

/** What this process sends with an account; undefined where no policy asks for it. */
export function sentTextsOf(client: ReadClient): SentTexts | undefined {
	return accounts.get(keyOf(client))?.sent;
}

/**
 * Who was texted lately with an account: by the list of the service, and by this process where the
 * service does not list it yet.
 */
export class RecentTexts {
	/** When the list was read: milliseconds since 1970. */
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
	 * @param own the request itself, where it is noted
	 * @param campaignId the campaign that it changes, in lower case: its texts are the same ones
	 */
	timesOf(person: string, own: SentRequest | undefined, campaignId: string | undefined): number[] {
		const listed = textsTo(person, this.listed);
		const counting = [
			...listed.filter(({ ids, hasFailed }) => !hasFailed && !ids.includes(campaignId ?? '')),
			...this.sent
				.to(person)
				.filter((request) => request !== own && !isListed(request, listed))
				.filter(({ id }) => campaignId === undefined || id !== campaignId),
		];
		return counting.map(({ at }) => at);
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
	const account: AccountTexts = accounts.get(key) ?? {
		sent: new SentTexts(),
		readings: new SharedReadings(SHARED_MS, MAX_AGE_MS),
	};
	accounts.set(key, account);
	const { sent, readings } = account;
	const kind = JSON.stringify([zone, numbers, hours]);
	const { readAt, value: listed } = await readings.get(kind, async (now) => {
		const from = now - hours * HOUR_MS;
		const read = await readListedTexts(client, { from, zone, numbers });
		sent.forget((request, person) => countsNoMore(request, textsTo(person, read), now));
		return read;
	});
	return new RecentTexts(readAt, listed, sent);
}

/** Whether what this process has sent to somebody counts no more, or by the list alone. */
function countsNoMore(
	request: SentRequest,
	texts: ReturnType<typeof textsTo>,
	readAt: number,
): boolean {
	const { at, result } = request;
	if (result?.sent === 'no' || readAt > at + MAX_HOURS * HOUR_MS) return true;
	const isTold = result?.sent === 'possibly' || isListed(request, texts);
	// Another reading that is shared may be a little older.
	return isTold && readAt > Math.max(at, result?.since ?? at) + LISTED_AFTER_MS;
}
