import { defineOperation } from '../define';
import { idsLast } from './campaign';

/** `GET /api/campaigns/voice` (interface, "Voice campaigns"): all of them in one response. */
export const getAllUnpaged = defineOperation({
	value: 'getAllUnpaged',
	name: 'Get All in One Request',
	action: 'Get all voice campaigns in one request',
	description: 'List all voice campaigns unpaged, in one request, for accounts with few of them',
	fields: [],
	async run({ client }) {
		const campaigns = await client.records({ method: 'GET', path: '/api/campaigns/voice' });
		return campaigns.map(idsLast);
	},
});
