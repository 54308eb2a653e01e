import { SMS_SUMMARY } from '../../returns/summaries';
import { partOfMessage, smsSummary } from '../../summary/summary';
import { envelopeList } from '../../transport/page';
import { readList } from '../../transport/paginate';
import { defineOperation } from '../define';
import {
	assertNoPaging,
	messageFiltersField,
	readFilters,
	readSummaryPageSize,
	summaryPageSize,
} from '../shared/lists';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';

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
	returns: { fields: SMS_SUMMARY },
	async run(call) {
		const { client, parameters } = call;
		const { id: campaignId, path } = readSmsCampaign(parameters);
		const pageSize = readSummaryPageSize(call);
		const query = readFilters(parameters.value('filters', 'Filters'), 'Filters');
		assertNoPaging(query, client.settings);
		const { status, sender, recipientCount } = await client.record({ method: 'GET', path });
		const list = envelopeList(client, '/api/SMSMessages', pageSize, query);
		const messages = await readList(list, (message) => partOfMessage(message, campaignId));
		const own = messages.filter((message) => message !== undefined);
		return {
			campaignId,
			sender: sender ?? null,
			campaignStatus: status ?? null,
			...smsSummary(own, recipientCount),
		};
	},
});
