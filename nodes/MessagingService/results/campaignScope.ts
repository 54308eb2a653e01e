import type { IDataObject } from 'n8n-workflow';
import { pageQuery, readList, toPage } from '../transport/paginate';
import type { ServiceClient } from '../transport/request';
import { pathSegment } from '../transport/request';
import { isBefore } from './times';

/** A campaign, as the service lists it. */
export interface Campaign {
	id: string;
	record: IDataObject;
}

/** Pages of a campaign list that are fetched simultaneously. */
const PAGES_AT_ONCE = 10;

/** Where the campaigns of one kind are found. */
export const VOICE_CAMPAIGNS = { list: '/api/campaigns/voice/p', single: '/api/campaigns/voice' };
export const SMS_CAMPAIGNS = { list: '/api/Campaigns', single: '/api/Campaigns' };

/** One campaign. The single response of a voice campaign has more fields than its list item. */
export async function getCampaign(
	client: ServiceClient,
	{ single }: typeof VOICE_CAMPAIGNS,
	id: string,
): Promise<Campaign> {
	return {
		id,
		record: await client.record({ method: 'GET', path: `${single}/${pathSegment(id)}` }),
	};
}

/** All campaigns of a kind. */
export async function listCampaigns(
	client: ServiceClient,
	{ list }: typeof VOICE_CAMPAIGNS,
	pageSize: number,
): Promise<Campaign[]> {
	const records = await readList({
		pagesAtOnce: PAGES_AT_ONCE,
		keyOf: ({ id }) => id,
		fetchPage: async (page) =>
			toPage(
				await client.page({
					method: 'GET',
					path: list,
					query: pageQuery(client.settings, pageSize, page),
				}),
			),
	});
	return records.map((record) => ({ id: String(record.id), record }));
}

/** Whether a campaign started before a time, given as the service writes it. */
export function startedBefore({ record }: Campaign, wallClock: string): boolean {
	return isBefore(record.startDate ?? record.startDateTime, wallClock);
}
