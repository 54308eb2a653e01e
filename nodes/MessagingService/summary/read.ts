import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { toNumber } from '../events/decode';
import { DAY_MS, momentOf, wallClockOf } from '../times';
import { messageList, numberList } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import { readRecent } from '../transport/recent';
import type { ReadClient } from '../transport/request';
import { readingOnce } from '../transport/sharedReadings';
import type { Schedule } from './campaignSchedule';
import { smsSummary, voiceSummary } from './summary';

/** Reads from the service what summaries are made of. */

/**
 * What the calls and SMS of a voice campaign came to.
 * @param path that of the campaign
 * @param now milliseconds since 1970
 */
export async function readVoiceSummary(
	client: ReadClient,
	path: string,
	{ schedule, now, pageSize }: { schedule: Schedule; now: number; pageSize: number },
): Promise<IDataObject> {
	// Only what is counted: a list of 100,000 numbers has 140 MB with all parameters.
	const list = numberList(client, path, pageSize);
	const numbers = await readList(list, ({ calls, smss }) => ({ calls, smss }));
	return voiceSummary(numbers, schedule, now);
}

/** What the messages of SMS campaigns came to. */
interface SmsSummaries {
	/** Messages created before this time may not have been read; undefined if the whole list was. */
	since?: string | undefined;
	of(campaignId: string, recipientCount: unknown): IDataObject;
}

/**
 * From when on messages of an SMS campaign are created: a day before it starts. Undefined if it does
 * not tell its start.
 * @param zone of the service's times, in which the result is
 */
export function firstMessageTime({ startDateTime }: IDataObject, zone: string): string | undefined {
	const start = momentOf(startDateTime, zone);
	return Number.isNaN(start) ? undefined : wallClockOf(start - DAY_MS, zone);
}

/**
 * What each run or poll has read, by its client: any number of campaigns cost one reading of the
 * recent messages, and one of the whole list if some of them started earlier. It goes with the client,
 * so that the next run reads anew.
 */
const summariesOnce = readingOnce<SmsSummaries>();

/**
 * The figures of an SMS campaign from its recent messages or, where some may be older, from all.
 * @param since from when on messages count as recent, not after `firstMessageTime`; undefined: none do
 * @param isEnough whether figures will do that have fewer messages than the campaign has recipients
 */
export async function readSmsFigures(
	client: ReadClient,
	list: MessageList,
	{ id, record, since }: { id: string; record: IDataObject; since: string | undefined },
	isEnough: (figures: IDataObject) => boolean,
): Promise<IDataObject> {
	const { recipientCount } = record;
	const read = async (from?: string) =>
		await summariesOnce(client, [list, from !== undefined], async () =>
			readSmsSummaries(client, list, from),
		);
	if (since !== undefined) {
		const recent = await read(since);
		const figures = recent.of(id, recipientCount);
		if (recent.since === undefined) return figures;
		const isWhole = Number(figures.messages) >= (toNumber(recipientCount) ?? 0);
		if (recent.since <= since && (isWhole || isEnough(figures))) return figures;
	}
	return (await read()).of(id, recipientCount);
}

/** How the list of SMS messages is read. */
interface MessageList {
	pageSize: number;
	/** Filters. */
	query: IDataObject;
}

/** The messages created from a time on, by the service's clock; by default all. */
async function readSmsSummaries(
	client: ReadClient,
	{ pageSize, query }: MessageList,
	since?: string,
): Promise<SmsSummaries> {
	const list = messageList(client, pageSize, query);
	const { records, isOrdered } =
		since === undefined
			? { records: await readList({ ...list, limit: Infinity }, countedFields), isOrdered: false }
			: await readRecent({ ...list, since }, countedFields);
	const messages = records.filter((message) => message !== undefined);
	const byCampaign = new Map(Object.entries(groupBy(messages, 'campaignId')));
	return {
		since: isOrdered ? since : undefined,
		of: (campaignId, recipientCount) =>
			smsSummary(byCampaign.get(comparableId(campaignId)) ?? [], recipientCount),
	};
}

/** Undefined for a message that is of no campaign. */
function countedFields(message: IDataObject): IDataObject | undefined {
	const { campaignId, status, smsCount, price, dateCreated, dateModified } = message;
	if (campaignId === undefined || campaignId === null || campaignId === '') return undefined;
	const part = { status, smsCount, price, dateCreated, dateModified };
	return { ...part, campaignId: comparableId(campaignId) };
}

/** The service writes IDs in upper and lower case. */
const comparableId = (campaignId: unknown) => String(campaignId).toLowerCase();
