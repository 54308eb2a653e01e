import { createHash } from 'node:crypto';
import { startSandbox } from '../support/sandbox';
import { contacts, useReceiver, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

interface Truth {
	total: number;
	items: Record<string, unknown>[];
}

const truth = async (list: string, params: Record<string, unknown> = {}): Promise<Truth> =>
	(await sandbox().control.get<Truth>(`/truth/${list}`, { params })).data;

const smsCampaign = async (body: Record<string, unknown>): Promise<string> => {
	const { status, data } = await sandbox().api.post<string>('/api/Campaigns', body);
	expect(status).toBe(200);
	return data;
};

const sha256 = (lines: string[]): string =>
	createHash('sha256')
		.update(lines.map((line) => `${line}\n`).join(''))
		.digest('hex');

test('a checksum tells whether a campaign has exactly these recipients, in this order', async () => {
	const all = contacts(12_345).map((contact, index) => ({
		...contact,
		custom1: `"${String(index)}" é`,
	}));
	const id = await smsCampaign({ message: 'Hello', contacts: all });
	expect((await sandbox().control.get(`/truth/recipients/sms/${id}`)).data).toEqual({
		count: 12_345,
		numbers: sha256(all.map(({ phoneNumber }) => phoneNumber)),
		records: sha256(
			all.map(({ phoneNumber, name, custom1 }) => JSON.stringify([phoneNumber, name, custom1, ''])),
		),
	});
	const phoneNumbers = [
		{ number: '+447700900123', name: 'Ann', parameters: [{ parameter: 1, value: 'x' }] },
		{ number: '+447700900124' },
	];
	const { data: voice } = await sandbox().api.post<{ id: number }>(
		'/api/campaigns/voice',
		voiceBody({ phoneNumbers }),
	);
	expect(
		(await sandbox().control.get(`/truth/recipients/voice/${String(voice.id)}`)).data,
	).toMatchObject({
		count: 2,
		records: sha256(
			phoneNumbers.map(({ number, name = '', parameters = [] }) =>
				JSON.stringify([number, name, parameters]),
			),
		),
	});
	const missing = await sandbox().control.get('/truth/recipients/sms/none', {
		validateStatus: () => true,
	});
	expect(missing.status).toBe(404);
});

test('every status of a message is kept, and who got it when in local time', async () => {
	await sandbox().control.post('/time', { rate: 0, to: '2999-07-01T12:00:00Z' });
	await sandbox().settings({
		sms: { intermediateStatuses: true },
		recipientZones: { '1212': 'America/New_York', '1213': 'America/Los_Angeles' },
	});
	const phoneNumbers = [
		'+447700900905',
		'+12125550123',
		'+12135550123',
		'+447700900907',
		'+9990000123',
	];
	const id = await smsCampaign({
		message: 'Hello',
		contacts: phoneNumbers.map((phoneNumber) => ({ phoneNumber })),
	});
	await sandbox().advance(10);
	const statuses = (await truth('smsStatuses', { campaignId: id, phoneNumber: phoneNumbers[0] }))
		.items;
	expect(statuses.map(({ status, at }) => [status, at])).toEqual([
		[2, '2999-07-01T12:00:00.001Z'],
		[0, '2999-07-01T12:00:01.001Z'],
		[5, '2999-07-01T12:00:02.001Z'],
	]);
	expect((await truth('smsStatuses')).total).toBe(15);
	const sent = (await truth('sentMessages')).items;
	expect(
		sent.map(({ phoneNumber, localTime, timeZone }) => [phoneNumber, localTime, timeZone]),
	).toEqual([
		[phoneNumbers[0], '2999-07-01T13:00:00.001', 'Europe/London'],
		[phoneNumbers[1], '2999-07-01T08:00:00.001', 'America/New_York'],
		[phoneNumbers[2], '2999-07-01T05:00:00.001', 'America/Los_Angeles'],
		// The one before this was rejected: it reached nobody.
		[phoneNumbers[4], null, null],
	]);
	const inTokyo = (await truth('sentMessages', { timeZone: 'Asia/Tokyo', limit: 1 })).items;
	expect(inTokyo).toMatchObject([{ localTime: '2999-07-01T21:00:00.001' }]);
});

test('results can be set by exact number and by prefix', async () => {
	await sandbox().settings({
		results: [
			{ prefix: '+49', sms: 5, calls: [{ outcome: 3 }, { outcome: 1, stage: 7 }] },
			{ prefix: '+4915', sms: 3 },
			{ number: '+49 151 0000001', sms: 6, optsOut: true },
		],
	});
	const phoneNumbers = ['+4930000901', '+4915100000901', '+491510000001', '+447700900905'];
	await smsCampaign({
		message: 'Hello',
		optOutLinkId: 501,
		contacts: phoneNumbers.map((phoneNumber) => ({ phoneNumber })),
	});
	await sandbox().idle();
	expect((await truth('smsStatuses')).items.map(({ status }) => status)).toEqual([5, 3, 6, 5]);
	expect((await sandbox().summary()).optOuts).toBe(1);
	await sandbox().api.post(
		'/api/campaigns/voice',
		voiceBody({
			phoneNumbers: [{ number: '+4930000901' }],
			attempts: [{ interval: 1 }, { interval: 1 }],
		}),
	);
	await sandbox().advanceTo('2999-01-11T00:00:00Z');
	expect((await truth('calls')).items).toMatchObject([
		{ outcome: 3, stage: 0, attemptNumber: 1 },
		{ outcome: 1, stage: 7, attemptNumber: 2 },
	]);
});

test('status codes of campaigns and messages can be any numbers', async () => {
	await sandbox().settings({
		sms: {
			campaignStatuses: { scheduled: 40, sending: 50, sent: 60 },
			messageStatuses: { '1': 101 },
		},
		voice: { campaignStatuses: { scheduled: 7, running: 8, finished: 9 } },
	});
	const id = await smsCampaign({ message: 'Hello', contacts: contacts(1) });
	await sandbox().idle();
	expect((await sandbox().api.get(`/api/Campaigns/${id}`)).data).toMatchObject({ status: 60 });
	expect((await sandbox().api.get('/api/SMSMessages')).data).toMatchObject({
		items: [{ status: 101 }],
	});
	expect((await sandbox().api.get('/api/SMSMessages?status=101')).data).toMatchObject({
		totalRecords: 1,
	});
	await sandbox().api.post('/api/campaigns/voice', voiceBody());
	const status = async () =>
		(await sandbox().api.get<{ campaignStatus: number }[]>('/api/campaigns/voice')).data[0]
			?.campaignStatus;
	expect(await status()).toBe(7);
	await sandbox().advanceTo('2999-01-10T09:00:01Z');
	expect(await status()).toBe(8);
	await sandbox().advanceTo('2999-01-11T00:00:00Z');
	expect(await status()).toBe(9);
	expect((await sandbox().deliveries({ kind: 'smsStatus' })).items).toMatchObject([
		{ event: { data: { statusCode: 1 } } },
	]);
});

test('a webhook URL may have to be agreed with the operator', async () => {
	const { hostname, port } = new URL(receiver().url);
	const agreed = `http://${hostname}:${port}/hook`;
	const client = { clientId: 1001, callFlowIds: [], cliIds: [], optOutLinkIds: [] };
	await sandbox().settings({ clients: [{ ...client, agreedWebhookUrls: [agreed] }] });
	await sandbox().registerWebhook(receiver().url);
	const { status, data } = await sandbox().api.post<unknown>(
		`/api/integrations/UpdateWebHook?url=${agreed.replace('/hook', '/other')}&clientId=1001`,
	);
	expect([status, data]).toEqual([
		400,
		{ errors: { WebHookUrl: [expect.stringContaining('agreed')] } },
	]);
	await sandbox().registerWebhook('');
});

test('the oldest records go when there are more than are to be kept', async () => {
	await sandbox().settings({ keep: { deliveries: 1000, requests: 1000 } });
	await smsCampaign({ message: 'Hello', contacts: contacts(3500) });
	await sandbox().idle();
	const { total, items } = await sandbox().deliveries({ limit: 1 });
	expect(total).toBe(1500);
	expect(items[0]?.event.data.phoneNumber).toBe(contacts(2001)[2000]?.phoneNumber);
});

test('with a seed, identifiers are the same in every run', async () => {
	const run = async (seed?: string) => {
		const one = await startSandbox({ ...(seed === undefined ? {} : { seed }) });
		const ids: unknown[] = [];
		for (const body of [{ message: 'Hello', contacts: contacts(2) }]) {
			ids.push((await one.api.post<string>('/api/Campaigns', body)).data);
		}
		ids.push((await one.api.get(`/api/Campaigns/${String(ids[0])}/Contacts`)).data);
		await one.stop();
		return ids;
	};
	const [first, second, other, random] = [
		await run('a'),
		await run('a'),
		await run('b'),
		await run(),
	];
	expect(second).toEqual(first);
	expect(other).not.toEqual(first);
	expect(random).not.toEqual(first);
	expect(first[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});
