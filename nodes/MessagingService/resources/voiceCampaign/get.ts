import { defineOperation } from '../define';
import { voiceCampaignLocator } from '../shared/locators';
import { simplifier, simplifyField } from '../shared/simplify';
import { simplified as simplifiedReturns } from '../../returns/fields';
import { readCampaignId } from './campaignId';
import { SINGLE_VOICE_CAMPAIGN } from './returns';

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
	action: 'Get voice campaign',
	description:
		'Look up one voice campaign by its ID: its schedule, its status and how many calls it made',
	kind: 'perItem',
	fields: [voiceCampaignLocator, simplifyField],
	returns: simplifiedReturns(SINGLE_VOICE_CAMPAIGN, SIMPLIFIED),
	async run(call) {
		const { path } = readCampaignId(call.parameters);
		const simplified = simplifier(call, SIMPLIFIED);
		return simplified(await call.client.record({ method: 'GET', path }));
	},
});
