import { defineOperation } from '../define';
import { readVoiceCampaign, voiceCampaignLocator } from '../shared/locators';
import { keeping, outputFields, chosenOutput } from '../shared/simplify';
import { only } from '../../returns/fields';
import { codesLast, SINGLE_VOICE_CAMPAIGN } from './returns';

const SIMPLIFIED = [
	'id',
	'name',
	'startDate',
	'starttime',
	'finishtime',
	'callCount',
	'campaignStatus',
] as const;

/** `GET /api/campaigns/voice/:id` (interface, "Voice campaigns"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get voice campaign',
	description:
		'Look up one voice campaign by its ID: its schedule, its status and how many calls it made',
	fields: [voiceCampaignLocator, ...outputFields(SINGLE_VOICE_CAMPAIGN)],
	returns: {
		fields: only(SINGLE_VOICE_CAMPAIGN, SIMPLIFIED),
		otherwise: [{ when: { simple: false }, fields: SINGLE_VOICE_CAMPAIGN }],
	},
	async run(call) {
		const { path } = readVoiceCampaign(call.parameters);
		const output = chosenOutput(call, SINGLE_VOICE_CAMPAIGN, keeping(SIMPLIFIED));
		return output(codesLast(await call.client.record({ method: 'GET', path })));
	},
});
