import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { envelopeList, numberList, readList } from '../transport/paginate';
import type { ReadClient } from '../transport/request';
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

/**
 * Reads the whole list of SMS messages once, for any number of campaigns.
 * @param query filters
 * @returns tells what the messages of a campaign came to
 */
export async function readSmsSummaries(client: ReadClient, pageSize: number, query: IDataObject) {
	const list = envelopeList(client, '/api/SMSMessages', pageSize, query);
	const messages = await readList(list, countedFields);
	const byCampaign = new Map(
		Object.entries(
			groupBy(
				messages.filter((message) => message !== undefined),
				'campaignId',
			),
		),
	);
	return (campaignId: string, recipientCount: unknown): IDataObject =>
		smsSummary(byCampaign.get(comparableId(campaignId)) ?? [], recipientCount);
}

export type SmsSummaries = Awaited<ReturnType<typeof readSmsSummaries>>;

/** Undefined for a message that is of no campaign. */
function countedFields(message: IDataObject): IDataObject | undefined {
	const { campaignId, status, smsCount, price, dateCreated, dateModified } = message;
	if (campaignId === undefined || campaignId === null || campaignId === '') return undefined;
	const part = { status, smsCount, price, dateCreated, dateModified };
	return { ...part, campaignId: comparableId(campaignId) };
}

/** The service writes IDs in upper and lower case. */
const comparableId = (campaignId: unknown) => String(campaignId).toLowerCase();
