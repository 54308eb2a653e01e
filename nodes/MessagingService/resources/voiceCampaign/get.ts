import { pathSegment } from '../../transport/request';
import { defineOperation } from '../define';
import { voiceCampaignLocator } from '../fields';
import { simplifier, simplifyField } from '../simplify';

const SIMPLIFIED = [
	'id',
	'name',
	'startDate',
	'starttime',
	'finishtime',
	'campaignStatus',
	'callCount',
] as const;

/** `GET /api/campaigns/voice/:id` (interface, "Voice campaigns"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get a voice campaign',
	description: 'Get one voice campaign with its schedule, status and number of calls',
	kind: 'perItem',
	fields: [voiceCampaignLocator, simplifyField],
	async run(call) {
		const id = pathSegment(call.parameters.locator('campaignId', 'Campaign'));
		const campaign = await call.client.record({
			method: 'GET',
			path: `/api/campaigns/voice/${id}`,
		});
		return simplifier(call, SIMPLIFIED)(campaign);
	},
});
