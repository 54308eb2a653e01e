import { defineOperation } from '../define';
import { readSmsCampaign, smsCampaignLocator } from '../shared/locators';
import { moveToEnd } from '../shared/responses';

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
		return moveToEnd('status', 'id')(await client.record({ method: 'GET', path }));
	},
});
