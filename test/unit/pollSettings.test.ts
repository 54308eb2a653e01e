import get from 'lodash/get';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { numberEvents, type PollEvent } from '../../nodes/MessagingService/results/pollSettings';
import { readSettings } from '../../nodes/MessagingService/results/readSettings';
import { thrown } from './support/thrown';

const ALL = ['callAttempted', 'campaignFinished', 'campaignStatus', 'smsStatus'];

function settingsOf(parameters: IDataObject, hostBudgetMs = 300_000) {
	const context = {
		getNodeParameter: (name: string, fallback: unknown) => get(parameters, name, fallback),
		getTimezone: () => 'Europe/London',
	} as unknown as IPollFunctions;
	return readSettings(context, 'service 1001', hostBudgetMs);
}

/** What an InputError says: the field, and how to fix it. */
function complaintAbout(parameters: IDataObject) {
	const { message, field, description } = thrown(() => settingsOf(parameters)) as Error & {
		field: string;
		description: string;
	};
	expect(description).toMatch(/^[A-Z].{8,}\.$/);
	return [message, field];
}

const locator = (value: unknown) => ({ campaignId: { __rl: true, mode: 'id', value } });

describe('the settings of a poll', () => {
	it('have defaults', () => {
		expect(settingsOf({ events: ['smsStatus'] })).toEqual({
			events: ['smsStatus'],
			selected: undefined,
			days: 7,
			smsFilters: {},
			includeVoiceSms: true,
			startFrom: undefined,
			maxItems: 1000,
			pageSize: 500,
			budgetMs: 45_000,
			baselineBudgetMs: 300_000,
			account: 'service 1001',
		});
	});

	it('are read from all fields', () => {
		const options = {
			includeVoiceSms: false,
			startFrom: '2030-05-17T09:00:00',
			maxItems: 5,
			maxDuration: 1000,
			pageSize: 20,
		};
		const events = [...ALL].reverse();
		expect(settingsOf({ events, days: 3, options })).toMatchObject({
			...{ events: ALL, days: 3, includeVoiceSms: false, maxItems: 5, pageSize: 20 },
			startFrom: Date.parse('2030-05-17T08:00:00Z'),
			// Not longer than n8n lets a poll run.
			budgetMs: 300_000,
		});
		for (const startFrom of [null, '']) {
			expect(settingsOf({ events, options: { startFrom } }).startFrom).toBeUndefined();
		}
	});

	it('take each selected campaign once, those of SMS where an event is about them', () => {
		const parameters = {
			campaigns: 'selected',
			voiceCampaigns: { campaign: [locator(42), locator(' 42 '), { campaignId: 43 }] },
			smsCampaigns: { campaign: [locator('a-b')] },
		};
		const selectedFor = (...events: string[]) => settingsOf({ ...parameters, events }).selected;
		const voice = ['42', '43'];
		expect(selectedFor('callAttempted', 'campaignFinished')).toEqual({ voice, sms: [] });
		expect(selectedFor('smsStatus')).toEqual({ voice, sms: ['a-b'] });
		expect(selectedFor('callAttempted', 'campaignStatus')).toEqual({ voice, sms: ['a-b'] });
		expect(settingsOf({ ...parameters, events: ALL, voiceCampaigns: {} }).selected).toEqual({
			...{ voice: [], sms: ['a-b'] },
		});
	});

	it.each([{}, null, true, undefined, '', ' ', '..', []])(
		'refuse an entry whose campaign is %j',
		(value) => {
			for (const entry of [locator(value), { campaignId: value }]) {
				const fields = { campaigns: 'selected', events: ALL };
				const problem = 'has an entry without a campaign';
				expect(complaintAbout({ ...fields, voiceCampaigns: { campaign: [entry] } })).toEqual([
					...[`Voice Campaigns ${problem}`, 'Voice Campaigns'],
				]);
				expect(complaintAbout({ ...fields, smsCampaigns: { campaign: [entry] } })).toEqual([
					...[`SMS Campaigns ${problem}`, 'SMS Campaigns'],
				]);
			}
		},
	);

	it.each([
		[{ events: [] }, 'Events is empty'],
		[{ events: ['other'] }, 'Events is empty'],
		[{ events: ALL, campaigns: 'selected' }, 'Voice Campaigns is empty'],
		[
			{
				...{ events: ['callAttempted'], campaigns: 'selected' },
				smsCampaigns: { campaign: [locator('a')] },
			},
			'Voice Campaigns is empty',
		],
		[{ events: ALL, days: 0 }, 'Days is less than 1 (0)'],
		[
			{ events: ALL, options: { maxDuration: 0 } },
			'Time Limit per Poll (Seconds) is less than 1 (0)',
		],
		[{ events: ALL, options: { maxItems: 0 } }, 'Max Items per Execution is less than 1 (0)'],
		[{ events: ALL, options: { pageSize: 0 } }, 'Page Size is less than 1 (0)'],
	])('refuse %j: %s', (parameters, message) => {
		expect(complaintAbout(parameters)[0]).toBe(message);
	});
});

it.each([
	[['callAttempted'], true, { calls: true, sms: false, finished: false }],
	[['smsStatus'], true, { calls: false, sms: true, finished: false }],
	[['smsStatus'], false, undefined],
	[['campaignStatus'], true, undefined],
	[['campaignFinished'], false, { calls: false, sms: false, finished: true }],
] as const)(
	'%j (SMS of voice campaigns: %s) need of its numbers: %j',
	(events, isIncluded, wanted) => {
		const settings = settingsOf({ events: [...events] });
		expect(
			numberEvents({
				...settings,
				events: events as readonly PollEvent[],
				includeVoiceSms: isIncluded,
			}),
		).toEqual(wanted);
	},
);
