import { defineOperation } from '../define';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';
import { lastly } from '../shared/responses';

/** `GET /api/Campaigns/:Id` (interface, "SMS campaigns"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS campaign',
	description:
		'Look up one SMS campaign by its ID: its message, its status and how many recipients it has',
	fields: [smsCampaignLocator],
	async run({ client, parameters }) {
		const { path } = readSmsCampaign(parameters);
		return lastly('status')(await client.record({ method: 'GET', path }));
	},
});
