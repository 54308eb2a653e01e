import type { INodeProperties } from 'n8n-workflow';
import { eventFiltersOf } from '../events/filters';
import { kindOptions, LISTED_KINDS, POLL_KINDS } from '../events/kinds';
import { messageFiltersField } from '../resources/shared/lists';
import { smsCampaignLocator, voiceCampaignLocator } from '../resources/shared/locators';

/** The fields of the polling trigger. */

const EVENTS: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	options: kindOptions(POLL_KINDS),
	default: ['callAttempted', 'smsStatus'],
	required: true,
	description: 'What starts the workflow',
};

/** Campaigns, each from the list or by its ID. */
function campaignList(
	displayName: string,
	name: string,
	locator: INodeProperties,
	show: Record<string, string[]>,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Campaign',
		default: {},
		description: 'The campaigns to read',
		displayOptions: { show: { campaigns: ['selected'], ...show } },
		options: [
			{
				displayName: 'Campaign',
				name: 'campaign',
				values: [{ ...locator, description: 'The campaign to read' }],
			},
		],
	};
}

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			...messageFiltersField,
			displayName: 'SMS Message Filters',
			name: 'smsFilters',
			displayOptions: { show: { '/events': ['smsStatus'] } },
		},
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description:
				'The first poll also returns the results of campaigns that started, and of SMS messages that were created, on this day or later, within Days. If empty, only results after the first poll are returned.',
		},
	],
};

export const pollProperties: INodeProperties[] = [
	EVENTS,
	{
		displayName: 'Campaigns',
		name: 'campaigns',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Recent',
				value: 'recent',
				description:
					'All campaigns that started within the last days, and those that have not finished',
			},
			{
				name: 'Selected',
				value: 'selected',
				description: 'Campaigns from the list or by ID',
			},
		],
		default: 'recent',
		description: 'Which campaigns to read',
	},
	campaignList('Voice Campaigns', 'voiceCampaigns', voiceCampaignLocator, {}),
	campaignList('SMS Campaigns', 'smsCampaigns', smsCampaignLocator, {
		events: ['campaignFinished', 'campaignStatus', 'smsStatus'],
	}),
	{
		displayName: 'Days',
		name: 'days',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 7,
		description:
			'How many days back to look: recent campaigns are those that started, and SMS messages those that were created, within this time',
	},
	{
		...eventFiltersOf(LISTED_KINDS),
		description: 'Which call attempts and SMS statuses start the workflow',
		displayOptions: { show: { events: Object.keys(LISTED_KINDS) } },
	},
	options,
];
