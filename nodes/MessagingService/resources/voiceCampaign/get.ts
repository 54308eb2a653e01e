import { defineOperation } from '../define';
import { readVoiceCampaign, voiceCampaignLocator } from '../shared/locators';
import { pickFields, outputFields, chosenOutput } from '../shared/simplify';
import { idsLast, SIMPLIFIED_FIELDS, VOICE_CAMPAIGN_FIELDS } from './campaign';

/** `GET /api/campaigns/voice/:id` (interface, "Voice campaigns"). */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get voice campaign',
	description:
		'Look up one voice campaign by its ID: its schedule, its status and how many calls it made',
	fields: [voiceCampaignLocator, ...outputFields(VOICE_CAMPAIGN_FIELDS)],
	async run(call) {
		const { path } = readVoiceCampaign(call.parameters);
		const output = chosenOutput(call, VOICE_CAMPAIGN_FIELDS, pickFields(SIMPLIFIED_FIELDS));
		return output(idsLast(await call.client.record({ method: 'GET', path })));
	},
});
