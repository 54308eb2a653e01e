import { defineOperation } from '../define';
import { smsCampaignLocator } from '../shared/locators';
import { readCampaign } from './campaignId';

/** `GET /api/Campaigns/:Id` (interface, "SMS campaigns"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS campaign',
	description: 'Get one SMS campaign with its status and number of recipients',
	kind: 'perItem',
	fields: [smsCampaignLocator],
	async run({ client, parameters }) {
		return await client.record({
			method: 'GET',
			path: readCampaign(parameters).path,
		});
	},
});
