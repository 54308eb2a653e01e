import type { IDataObject } from 'n8n-workflow';
import {
	actionSuite,
	byId,
	createCampaign,
	sendMessage,
	type ActionParameters,
} from '../support/actionSuite';
import { searchList } from '../support/engine';
import { PolledWorkflow } from '../support/poll';

/**
 * How many records each list is asked for at a time. A page that is too large is refused by the
 * service, and one that is too small costs requests.
 */

const { run, sandbox, credential } = actionSuite();

const CAMPAIGN = {
	...{ message: 'Hi', sender: 'Shop', startDateTime: '2999-01-10T09:00:00Z' },
	contacts: [{ phoneNumber: '+447700900123' }],
};

const returnAll = (resource: string, operation = 'getAll') => ({
	...{ resource, operation, returnAll: true },
});

/** The action that reads a list, or the policy that does, and what it asks for first. */
const LISTS: [what: string, ActionParameters, policy: IDataObject, asked: string][] = [
	['messages', returnAll('smsMessage'), {}, '/api/SMSMessages?pageSize=1000'],
	['SMS campaigns', returnAll('smsCampaign'), {}, '/api/Campaigns?pageSize=1000'],
	['contacts', returnAll('smsCampaign', 'getContacts'), {}, '/Contacts?pageSize=1000'],
	['voice campaigns', returnAll('voiceCampaign'), {}, '/api/campaigns/voice/p?pageSize=1000'],
	['stored numbers', returnAll('phoneNumberStorage'), {}, '/api/PhoneNumberStorageItem/1000/'],
	[
		'messages of a campaign, for its figures',
		{ resource: 'smsCampaign', operation: 'getSummary' },
		...([{}, '/api/SMSMessages?pageSize=2000'] as const),
	],
	[
		'contacts of a campaign, for the sending policy',
		{ resource: 'smsCampaign', operation: 'update', updateFields: { message: 'New' } },
		...([{ allowedCountries: 'GB' }, '/Contacts?pageSize=1000'] as const),
	],
	[
		'stored numbers, for the do-not-contact list',
		createCampaign,
		{ doNotContactParameter: 'parameter9', doNotContactValue: 'Opt out' },
		'/api/PhoneNumberStorageItem/5000/',
	],
	[
		'messages, for Hours Between Texts',
		sendMessage,
		{ hoursBetweenTexts: 20 },
		'/api/SMSMessages?pageSize=1000',
	],
];

it.each(LISTS)('%s', async (_, action, policy, asked) => {
	const { data: id } = await sandbox().api.post<string>('/api/Campaigns', CAMPAIGN);
	const { requests, error } = await run(
		{ campaignId: byId(id), ...action },
		{
			items: [{ phoneNumber: '+447700900123' }],
			credential: credential({
				...{ sendingPolicy: Object.keys(policy).length > 0, ...policy },
				...{ serviceConventions: true, serviceTimeZone: 'UTC' },
			}),
		},
	);
	expect(error).toBeUndefined();
	expect(requests.map(({ url }) => url)).toContainEqual(expect.stringContaining(asked));
});

it.each([
	['searchSmsMessages', '/api/SMSMessages?pageSize=100'],
	['searchStoredNumbers', '/api/PhoneNumberStorageItem/100/'],
	['searchSmsCampaigns', '/api/Campaigns?pageSize=1000'],
	['searchVoiceCampaigns', '/api/campaigns/voice/p?pageSize=1000'],
] as const)('the list of the editor: %s', async (method, asked) => {
	await searchList(method, { credential: credential() });
	const { items } = await sandbox().requests({ limit: 10 });
	expect(items[0]?.url).toContain(asked);
});

it('a poll', async () => {
	const parameters = { events: ['callAttempted', 'smsStatus', 'campaignStatus'] };
	await new PolledWorkflow({ credential: credential(), parameters }).poll();
	const { items } = await sandbox().requests({ limit: 10 });
	expect(items.map(({ url }) => url.replace(/&.*/, '')).sort()).toEqual([
		'/api/Campaigns?pageSize=1000',
		'/api/SMSMessages?pageSize=1000',
		'/api/campaigns/voice/p?pageSize=1000',
	]);
});
