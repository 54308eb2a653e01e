import { readSmsSummaries, type SmsSummaries } from '../../summary/read';
import { readingOnce } from '../../transport/concurrency';
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
const summariesOnce = readingOnce<SmsSummaries>();

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
		const summaryOf = await summariesOnce({ owner: client }, [pageSize, query], async () =>
			readSmsSummaries(client, pageSize, query),
		);
		return {
			...summaryOf(campaignId, recipientCount),
			sender: sender ?? null,
			campaignId,
			campaignStatus: status ?? null,
		};
	},
});
