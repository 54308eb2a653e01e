import { contacts, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();

const sms = (change: Record<string, unknown>) => ({
	message: 'Hello',
	contacts: contacts(1),
	...change,
});
const forClient = (change: Record<string, unknown> = {}) =>
	voiceBody({ defaultCli_Id: undefined, cli_Id: 403, callflow_Id: 303, ...change });

const smsCampaign = '/api/Campaigns';
const message = '/api/SMSMessages';
const voice = '/api/campaigns/voice';
const client = '/api/Campaign/Voice/';
const storage = '/api/PhoneNumberStorageItem';
const webhook = '/api/integrations/UpdateWebHook';

test.each([
	[smsCampaign, 'message', { contacts: contacts(1) }],
	[smsCampaign, 'contacts', sms({ contacts: [] })],
	[smsCampaign, 'startDateTime', sms({ startDateTime: '2999-13-06T07:08:00Z' })],
	[smsCampaign, 'optOutLinkId', sms({ optOutLinkId: 503 })],
	[smsCampaign, 'contacts[1].phoneNumber', sms({ contacts: [...contacts(1), {}] })],
	[smsCampaign, 'unheardOf', sms({ unheardOf: 1 })],
	[message, 'phoneNumber', { message: 'Hello', phoneNumber: 447700900123 }],
	[voice, 'name', voiceBody({ name: undefined })],
	[voice, 'startDate', voiceBody({ startDate: '2020-01-01' })],
	[voice, 'startTime', voiceBody({ startTime: '24:00' })],
	[voice, 'finishTime', voiceBody({ finishTime: '09:00' })],
	[voice, 'callflow_Id', voiceBody({ callflow_Id: 303 })],
	[voice, 'defaultCli_Id', voiceBody({ defaultCli_Id: 403 })],
	[voice, 'cli_Id', voiceBody({ cli_Id: 401 })],
	[
		voice,
		'attempts[0].attemptNumber',
		voiceBody({ attempts: [{ interval: 1, attemptNumber: 2 }] }),
	],
	[voice, 'runOverDays', voiceBody({ runOverDays: [] })],
	[client, 'clientId', forClient()],
	[`${client}?clientId=5`, 'clientId', forClient()],
	[`${client}?clientId=1002`, 'cli_Id', forClient({ cli_Id: 401 })],
	[`${client}?clientId=1002`, 'callflow_Id', forClient({ callflow_Id: 301 })],
	[storage, 'number', { storageID: 'one' }],
	[storage, 'parameter10', { storageID: 'one', number: '1', parameter10: '' }],
	[webhook, 'url', undefined],
	[`${webhook}?url=ftp://example.com/&clientId=1001`, 'WebHookUrl', undefined],
	[`${webhook}?url=&clientId=5`, 'clientId', undefined],
])('POST %s whose %s is wrong is refused', async (path, field, body) => {
	const { status, data } = await sandbox().api.post<{ errors: object }>(path, body);
	expect([status, Object.keys(data.errors)]).toEqual([400, expect.arrayContaining([field])]);
	expect(await sandbox().summary()).toMatchObject({
		...{ smsCampaigns: 0, smsMessages: 0, voiceCampaigns: 0, storedPhoneNumbers: 0 },
		webhook: { url: null },
	});
});

test('a page size above 10000 has an error of its own', async () => {
	const { status, data } = await sandbox().api.get<unknown>(`${storage}/10001/1`);
	expect([status, data]).toEqual([400, { pageSize: [expect.stringContaining('10000')] }]);
});

test.each([
	'/api/SMSMessages999',
	'/api/Campaigns/none',
	'/api/Campaigns/none/Contacts',
	'/api/campaigns/voice/1',
	'/api/campaigns/voice/1/phonenumbers/10/1',
	'/api/PhoneNumberStorageItem/none',
])('GET %s does not exist', async (path) => {
	expect((await sandbox().api.get(path)).status).toBe(404);
});
