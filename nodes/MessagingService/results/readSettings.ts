import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { toUtc } from '../resources/shared/dates';
import { InputError } from '../resources/shared/inputError';
import { readFilters } from '../resources/shared/lists';
import { readInteger } from '../resources/shared/values';
import { workflowZone } from '../resources/shared/zones';
import { isPathSegment } from '../transport/request';
import { POLL_DEFAULTS } from './fields';
import type { PollEvent, PollSettings } from './pollSettings';

const EVENTS: readonly PollEvent[] = [
	'callAttempted',
	'campaignFinished',
	'campaignStatus',
	'smsStatus',
];

/**
 * Reads the fields of the polling trigger.
 * @throws InputError that names the field
 */
export function readSettings(
	context: IPollFunctions,
	account: string,
	hostBudgetMs: number,
): PollSettings {
	const value = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const options = { ...POLL_DEFAULTS, ...(value('options', {}) as IDataObject) };
	const events = EVENTS.filter((event) => (value('events', []) as string[]).includes(event));
	if (events.length === 0) throw new InputError('Events', 'is empty', 'Select at least one event.');
	const timeLimit = readInteger(options.maxDuration, 'Time Limit per Poll (Seconds)', { min: 1 });
	return {
		events,
		selected: value('campaigns', 'recent') === 'selected' ? readSelected(value, events) : undefined,
		days: readInteger(value('days', 7), 'Days', { min: 1 }),
		smsFilters: readFilters(value('smsFilters', {}), 'SMS Message Filters'),
		includeVoiceSms: options.includeVoiceSms,
		startFrom: readStartFrom((options as IDataObject).startFrom, workflowZone({ context })),
		maxItems: readInteger(options.maxItems, 'Max Items per Execution', { min: 1 }),
		pageSize: readInteger(options.pageSize, 'Page Size', { min: 1 }),
		budgetMs: Math.min(timeLimit * 1000, hostBudgetMs),
		baselineBudgetMs: hostBudgetMs,
		account,
	};
}

type ReadValue = (name: string, fallback: unknown) => unknown;

function readSelected(value: ReadValue, events: readonly PollEvent[]): PollSettings['selected'] {
	const voice = readCampaigns(value('voiceCampaigns', {}) as IDataObject, 'Voice Campaigns');
	const usesSms = events.some((event) => event === 'campaignStatus' || event === 'smsStatus');
	const sms = usesSms
		? readCampaigns(value('smsCampaigns', {}) as IDataObject, 'SMS Campaigns')
		: [];
	if (voice.length === 0 && sms.length === 0) {
		throw new InputError(
			'Voice Campaigns',
			'is empty',
			'Add a campaign, or read recent campaigns.',
		);
	}
	return { voice, sms };
}

function readCampaigns({ campaign }: IDataObject, label: string): string[] {
	const entries = Array.isArray(campaign) ? (campaign as IDataObject[]) : [];
	const ids = entries.map(({ campaignId }) => {
		const isLocator = typeof campaignId === 'object' && campaignId !== null;
		const id = isLocator ? (campaignId as IDataObject).value : campaignId;
		const text = typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
		if (!isPathSegment(text)) {
			throw new InputError(
				label,
				'has an entry without a campaign',
				'Select a campaign, enter its ID, or remove the entry.',
			);
		}
		return text;
	});
	return [...new Set(ids)];
}

function readStartFrom(value: unknown, zone: string): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	return Date.parse(toUtc(value, zone, 'Start From'));
}
