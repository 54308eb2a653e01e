import get from 'lodash/get';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { readSettings } from '../../nodes/MessagingService/poll/settings';
import { thrown } from './support/thrown';

const ALL = ['callAttempted', 'campaignFinished', 'campaignStatus', 'smsStatus'];

function settingsOf(parameters: IDataObject) {
	const context = {
		getNodeParameter: (name: string, fallback: unknown) => get(parameters, name, fallback),
		getTimezone: () => 'Europe/London',
		getNode: () => ({ parameters }),
	} as unknown as IPollFunctions;
	return readSettings(context);
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
			writtenFilters: '{}',
			startFrom: undefined,
		});
	});

	it('are read from all fields', () => {
		const options = { startFrom: '2030-05-17T09:00:00' };
		const events = [...ALL].reverse();
		const smsFilters = { parameter: [{ name: 'from', value: '2030-05-17' }] };
		expect(settingsOf({ events, days: 3, smsFilters, options })).toMatchObject({
			...{ events: ALL, days: 3, smsFilters: { from: ['2030-05-17'] } },
			writtenFilters: JSON.stringify(smsFilters),
			startFrom: Date.parse('2030-05-17T08:00:00Z'),
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
	])('refuse %j: %s', (parameters, message) => {
		expect(complaintAbout(parameters)[0]).toBe(message);
	});
});
