import { defineOperation } from '../define';
import { readVoiceCampaign, voiceCampaignLocator } from '../shared/locators';
import { simplifier, simplifyField } from '../shared/simplify';
import { simplified as simplifiedReturns } from '../../returns/fields';
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
	fields: [voiceCampaignLocator, simplifyField],
	returns: simplifiedReturns(SINGLE_VOICE_CAMPAIGN, SIMPLIFIED),
	async run(call) {
		const { path } = readVoiceCampaign(call.parameters);
		const simplified = simplifier(call, SIMPLIFIED);
		return simplified(await call.client.record({ method: 'GET', path }));
	},
});
