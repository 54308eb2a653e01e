import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { envelopeList, numberList } from '../transport/page';
import { readList } from '../transport/paginate';
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

/** The messages of SMS campaigns, as far as they are counted. */
export class CampaignMessages {
	private readonly byCampaign: ReadonlyMap<string, readonly IDataObject[]>;

	private constructor(messages: readonly IDataObject[]) {
		this.byCampaign = new Map(Object.entries(groupBy(messages, 'campaignId')));
	}

	/**
	 * Reads the whole list of SMS messages once, for any number of campaigns.
	 * @param query filters
	 */
	static async read(
		client: ReadClient,
		pageSize: number,
		query: IDataObject,
	): Promise<CampaignMessages> {
		const list = envelopeList(client, '/api/SMSMessages', pageSize, query);
		const messages = await readList(list, countedFields);
		return new CampaignMessages(messages.filter((message) => message !== undefined));
	}

	/**
	 * What the messages of a campaign came to.
	 * @param recipientCount as the campaign has it
	 */
	summaryOf(campaignId: string, recipientCount: unknown): IDataObject {
		return smsSummary(this.byCampaign.get(comparableId(campaignId)) ?? [], recipientCount);
	}
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
