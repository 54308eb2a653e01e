import { firstMessageTime, readSmsFigures } from '../../summary/read';
import { withCurrency } from '../../summary/summary';
import { defineOperation } from '../define';
import {
	messageFiltersField,
	readFilters,
	readSummaryPageSize,
	summaryPageSize,
} from '../shared/lists';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';
import { serviceZone } from '../shared/zones';

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
		const query = readFilters(parameters.value('filters', 'Filters'), client.settings);
		const campaign = await client.record({ method: 'GET', path });
		const since = firstMessageTime(campaign, serviceZone(call));
		const about = { id: campaignId, record: campaign, since };
		const figures = await readSmsFigures(client, { pageSize, query }, about, () => false);
		return {
			...withCurrency(figures, client.settings.currency),
			sender: campaign.sender ?? null,
			campaignId,
			campaignStatus: campaign.status ?? null,
		};
	},
});
