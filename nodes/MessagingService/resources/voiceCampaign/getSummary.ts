import { scheduleOf } from '../../summary/campaignSchedule';
import { readVoiceSummary } from '../../summary/read';
import { withCurrency } from '../../summary/summary';
import { defineOperation } from '../define';
import { readSummaryPageSize, summaryPageSize } from '../shared/lists';
import { readVoiceCampaign, voiceCampaignLocator } from '../shared/locators';
import { serviceZone } from '../shared/zones';

/**
 * One item that tells how a campaign went, from `GET /api/campaigns/voice/:id` and
 * `GET /api/campaigns/voice/:id/phonenumbers/:pageSize/:pageNumber` (interface, "Voice campaigns").
 */
export const getSummary = defineOperation({
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get summary of voice campaign',
	description: 'Summarize a voice campaign: count its recipients, calls and costs',
	fields: [voiceCampaignLocator],
	options: [summaryPageSize],
	async run(call) {
		const { client } = call;
		const { id: campaignId, path } = readVoiceCampaign(call.parameters);
		const pageSize = readSummaryPageSize(call);
		const zone = serviceZone(call);
		const campaign = await client.record({ method: 'GET', path });
		const schedule = scheduleOf(campaign, zone);
		const about = { schedule, now: Date.now(), pageSize };
		const figures = await readVoiceSummary(client, path, about);
		return {
			...withCurrency(figures, client.settings.currency),
			campaignName: campaign.name ?? null,
			campaignId,
			campaignStatus: campaign.campaignStatus ?? null,
		};
	},
});
