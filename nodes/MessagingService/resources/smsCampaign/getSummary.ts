import type { IDataObject } from 'n8n-workflow';
import { readSmsSummaries, type SmsSummaries } from '../../summary/read';
import type { ReadClient } from '../../transport/request';
import { defineOperation } from '../define';
import {
	assertNoPaging,
	messageFiltersField,
	readFilters,
	readSummaryPageSize,
	summaryPageSize,
} from '../shared/lists';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';

/** What each run has read, by its client: several campaigns cost one read of the list per filter. */
const ofRuns = new WeakMap<ReadClient, Map<string, Promise<SmsSummaries>>>();

async function summariesOnce(client: ReadClient, pageSize: number, query: IDataObject) {
	const known = ofRuns.get(client) ?? new Map<string, Promise<SmsSummaries>>();
	ofRuns.set(client, known);
	const key = JSON.stringify([pageSize, query]);
	const summaries = known.get(key) ?? readSmsSummaries(client, pageSize, query);
	known.set(key, summaries);
	// A failure is not remembered: the next item may succeed.
	summaries.catch(() => known.delete(key));
	return await summaries;
}

/**
 * One item that tells how a campaign went, from `GET /api/Campaigns/:Id` and the messages with its
 * ID in `GET /api/SMSMessages` (interface, "SMS campaigns" and "SMS messages").
 */
export const getSummary = defineOperation({
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get summary of SMS campaign',
	description: 'Summarize an SMS campaign: count its recipients, statuses and costs',
	fields: [smsCampaignLocator, messageFiltersField],
	options: [summaryPageSize],
	async run(call) {
		const { client, parameters } = call;
		const { id: campaignId, path } = readSmsCampaign(parameters);
		const pageSize = readSummaryPageSize(call);
		const query = readFilters(parameters.value('filters', 'Filters'), 'Filters');
		assertNoPaging(query, client.settings);
		const { status, sender, recipientCount } = await client.record({ method: 'GET', path });
		const summaryOf = await summariesOnce(client, pageSize, query);
		return {
			...summaryOf(campaignId, recipientCount),
			sender: sender ?? null,
			campaignId,
			campaignStatus: status ?? null,
		};
	},
});
