import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { eventFiltersOf, filteredNumbers } from '../events/filters';
import { kindOptions, POLL_KINDS, SERVICE_KINDS } from '../events/kinds';
import { optionsField } from '../resources/shared/fields';
import { messageFiltersField, readFilters } from '../resources/shared/lists';
import { smsCampaignLocator, voiceCampaignLocator } from '../resources/shared/locators';
import { Failure } from '../failure';
import { entriesOf, locatedId, isNothing, readInteger, readOptions } from '../parameters/values';
import { toDateText } from '../resources/shared/dates';
import { workflowZone } from '../resources/shared/zones';
import { isPathSegment } from '../transport/request';
import type { ServiceSettings } from '../transport/settings';

/** The fields of the polling trigger. */

const eventsField: INodeProperties = {
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

const pollOptions: INodeProperties[] = [
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
];

export const pollProperties: INodeProperties[] = [
	eventsField,
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
					'Campaigns that started within the last days, and those that have not finished',
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
		...eventFiltersOf(SERVICE_KINDS),
		description: 'Which call attempts and SMS statuses start the workflow',
		displayOptions: { show: { events: Object.keys(SERVICE_KINDS) } },
	},
	optionsField(pollOptions),
];

/** What the polling trigger reports. */
export type PollEvent = keyof typeof POLL_KINDS;

const EVENTS = Object.keys(POLL_KINDS) as PollEvent[];

/** What one poll of the trigger is about, as the user set it. */
export interface PollSettings {
	events: readonly PollEvent[];
	/** IDs of the selected campaigns; undefined for all that started lately. */
	selected: { voice: readonly string[]; sms: readonly string[] } | undefined;
	/** How many days back campaigns may have started and SMS messages may have been created. */
	days: number;
	/** The trigger's "Filters". */
	filters: IDataObject;
	/** Query parameters that narrow down the list of SMS messages. */
	smsFilters: IDataObject;
	/** The same as the user wrote them: an expression gives other values in each poll. */
	writtenFilters: string;
	/** A date: what is not older is new to the first poll, which knows nothing. */
	startFrom: string | undefined;
}

/**
 * Reads the fields of the polling trigger.
 * @throws Failure that names the field
 */
export function readPollSettings(context: IPollFunctions, service: ServiceSettings): PollSettings {
	const value = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const events = readOptions(value('events', []), 'Trigger On', EVENTS);
	if (events.length === 0)
		throw Failure.ofField('Trigger On', 'is empty', 'Select at least one event.');
	const { startFrom, smsFilters = {} } = value('options', {}) as IDataObject;
	const { options: written } = context.getNode().parameters;
	const filters = value('filters', {}) as IDataObject;
	filteredNumbers(filters, service.defaultCountry);
	return {
		events,
		selected:
			value('campaigns', 'recent') === 'selected' ? readSelected(context, events) : undefined,
		days: readInteger(value('days', 7), 'Days', { min: 1 }),
		filters,
		smsFilters: readFilters(smsFilters, service, 'SMS Message Filters'),
		writtenFilters: JSON.stringify((written as IDataObject | undefined)?.smsFilters ?? {}),
		startFrom: isNothing(startFrom)
			? undefined
			: toDateText(startFrom, workflowZone(context), 'Start From'),
	};
}

function readSelected(
	context: IPollFunctions,
	events: readonly PollEvent[],
): PollSettings['selected'] {
	const idsIn = (name: string, label: string) =>
		readCampaignIds(context.getNodeParameter(name, {}), label);
	const voice = idsIn('voiceCampaigns', 'Voice Campaigns');
	const usesSms = events.some((event) => event !== 'callAttempted');
	const sms = usesSms ? idsIn('smsCampaigns', 'SMS Campaigns') : [];
	if (voice.length > 0 || sms.length > 0) return { voice, sms };
	throw Failure.ofField('Voice Campaigns', 'is empty', 'Add a campaign, or read recent campaigns.');
}

function readCampaignIds(value: unknown, label: string): string[] {
	const ids = entriesOf(value, 'campaign', label).map((entry) => {
		const { campaignId } = entry as IDataObject;
		return String(locatedId(campaignId) ?? '').trim();
	});
	if (ids.every(isPathSegment)) return [...new Set(ids)];
	throw Failure.ofField(
		label,
		'has an entry without a campaign',
		'Select a campaign, enter its ID, or remove the entry.',
	);
}
