import { VOICE_SUMMARY } from '../../returns/summaries';
import { campaignPlanOf } from '../../summary/campaignPlan';
import { voiceSummary } from '../../summary/summary';
import { numberList } from '../../transport/page';
import { readList } from '../../transport/paginate';
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
	returns: { fields: VOICE_SUMMARY },
	async run(call) {
		const { client } = call;
		const { id: campaignId, path } = readVoiceCampaign(call.parameters);
		const pageSize = readSummaryPageSize(call);
		const zone = serviceZone(call);
		const campaign = await client.record({ method: 'GET', path });
		// Only what is counted: a list of 100,000 numbers has 140 MB with all parameters.
		const list = numberList(client, path, pageSize);
		const numbers = await readList(list, ({ calls, smss }) => ({ calls, smss }));
		return {
			campaignId,
			campaignName: campaign.name ?? null,
			campaignStatus: campaign.campaignStatus ?? null,
			...voiceSummary(numbers, campaignPlanOf(campaign, zone), Date.now()),
		};
	},
});
