import { moveToEnd } from '../shared/responses';

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
	'name',
	'startDate',
	'starttime',
	'finishtime',
	'callCount',
	'campaignStatus',
	'id',
] as const;

/** What people look at last: codes whose meaning is not documented, and identifiers. */
export const idsLast = moveToEnd('type', 'campaignStatus', 'callFlow_Id', 'cli_Id', 'cli_id', 'id');
