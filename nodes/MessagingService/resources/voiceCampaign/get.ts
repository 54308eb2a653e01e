import { defineOperation } from '../define';
import { readVoiceCampaign, voiceCampaignLocator } from '../shared/locators';
import { keeping, outputFields, chosenOutput } from '../shared/simplify';
import { lastly } from '../shared/responses';

/** The fields of a voice campaign (interface, "Voice campaign (single-campaign response)"). */
export const VOICE_CAMPAIGN_FIELDS = [
	'id',
	'name',
	'startDate',
	'starttime',
	'finishtime',
	'callFlow_Id',
	'callCount',
	'cli_Id',
	'attempts',
	'runOverDays',
	'type',
	'campaignStatus',
] as const;

export const SIMPLIFIED_FIELDS = [
	'id',
	'name',
	'startDate',
	'starttime',
	'finishtime',
	'callCount',
	'campaignStatus',
];

/** What these codes mean is not documented, so they come last. */
export const codesLast = lastly('type', 'campaignStatus');

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
		const output = chosenOutput(call, VOICE_CAMPAIGN_FIELDS, keeping(SIMPLIFIED_FIELDS));
		return output(codesLast(await call.client.record({ method: 'GET', path })));
	},
});
