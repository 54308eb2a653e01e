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

/** What a simplified output has. */
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
