import { readdirSync, readFileSync } from 'node:fs';
import axios from 'axios';
import { faultKinds } from '../../sandbox/service/faults';
import { contacts, useReceiver, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

const send = (phoneNumber = '+447700900123') =>
	sandbox().api.post<string>('/api/SMSMessages', { message: 'Hello', phoneNumber });

const refused = async (method: 'get' | 'post' | 'patch', path: string, body?: unknown) => {
	const { status, data } = await sandbox().control.request<unknown>({
		method,
		url: path,
		data: body,
		validateStatus: () => true,
	});
	expect([path, status, data]).toEqual([path, 400, { message: expect.any(String) }]);
};

test('summary counts everything', async () => {
	await sandbox().registerWebhook(receiver().url);
	await send();
	await sandbox().api.post('/api/Campaigns', { message: 'Hello', contacts: contacts(3) });
	await sandbox().api.post('/api/campaigns/voice', voiceBody());
	await sandbox().api.post('/api/PhoneNumberStorageItem', { storageID: 'one', number: '1' });
	expect(await sandbox().idle()).toEqual({
		smsCampaigns: 1,
		smsCampaignContacts: 3,
		smsMessages: 1,
		voiceCampaigns: 1,
		voicePhoneNumbers: 1,
		voiceSmss: 0,
		calls: 0,
		storedPhoneNumbers: 1,
		optOuts: 0,
		requests: 5,
		mostRequestsAtOnce: expect.any(Number),
		deliveries: { total: 4, pending: 0, acknowledged: 4, failed: 0, noUrl: 0 },
		webhook: { url: receiver().url },
		contractViolations: 0,
	});
	expect(await sandbox().summary()).toMatchObject({ smsCampaigns: 1, requests: 5 });
});

test('requests are kept with their responses and can be picked', async () => {
	await send();
	await sandbox().api.get('/api/SMSMessages?pageSize=1');
	await sandbox().api.get('/nowhere');
	await axios.get(`${sandbox().url}/api/Campaigns`, { validateStatus: () => true, proxy: false });
	const paths = async (query: Record<string, string | number>) =>
		(await sandbox().requests(query)).items.map(({ path, status }) => [path, status]);
	const sent = ['/api/SMSMessages', 200];
	const listed = ['/api/SMSMessages', 200];
	const lost = ['/nowhere', 404];
	const denied = ['/api/Campaigns', 401];
	expect(await paths({})).toEqual([sent, listed, lost, denied]);
	expect(await paths({ method: 'POST' })).toEqual([sent]);
	expect(await paths({ path: 'smsmessages' })).toEqual([sent, listed]);
	expect(await paths({ operationId: 'listSmsMessages' })).toEqual([listed]);
	const { total, items } = await sandbox().requests({ limit: 1 });
	expect([total, items.length]).toEqual([4, 1]);
	expect(await paths({ after: items[0]?.id ?? 0 })).toEqual([listed, lost, denied]);
});

test('the summary tells how many requests were open simultaneously', async () => {
	await sandbox().fault({ times: 4, fault: { kind: 'hang' } });
	const hanging = new AbortController();
	const { signal } = hanging;
	const requests = [1, 2, 3, 4].map(() => sandbox().api.get('/api/Campaigns', { signal }));
	const results = Promise.allSettled(requests);
	while ((await sandbox().summary()).requests < 4);
	expect((await sandbox().summary()).mostRequestsAtOnce).toBe(4);
	hanging.abort();
	expect((await results).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
});

test('events are delivered immediately, with all their fields', async () => {
	await sandbox().registerWebhook(receiver().url);
	receiver().answers = [204];
	const delivery = await sandbox().event({ webHookType: 0, data: { outCome: 3, stage: 0 } });
	expect(delivery).toMatchObject({ status: 'acknowledged', attempts: [{ status: 204 }] });
	expect(receiver().received.map(({ body }) => body)).toEqual([delivery.event]);
	expect(delivery.event).toEqual({
		webHookType: 0,
		data: {
			clientId: 1001,
			outCome: 3,
			stage: 0,
			startTime: expect.any(String),
			endTime: expect.any(String),
			userInput: '',
			campaignId: expect.any(String),
			phoneNumber: expect.any(String),
		},
	});
	expect((await sandbox().event({})).event).toMatchObject({
		webHookType: 1,
		data: { statusCode: 1 },
	});
	const unknown = { webHookType: 99, data: { some: 'thing' } };
	expect((await sandbox().event(unknown)).event).toEqual(unknown);
});

test('time goes forward by seconds or to a moment, never back', async () => {
	const to = '2999-01-01T00:00:00.000Z';
	expect(Date.parse(await sandbox().advanceTo(to))).toBeGreaterThanOrEqual(Date.parse(to));
	const later = Date.parse(await sandbox().advance(3600));
	expect(later).toBeGreaterThanOrEqual(Date.parse(to) + 3_600_000);
	await refused('post', '/time', { to });
	await refused('post', '/time', { advanceSeconds: -1 });
	await refused('post', '/time', { to: 'tomorrow' });
	await refused('post', '/time', {});
});

test('settings are merged, shown and reset', async () => {
	const before = (await sandbox().control.get<Record<string, unknown>>('/settings')).data;
	const after = await sandbox().settings({
		strict: false,
		conventions: { pageIndexName: 'page' },
	});
	expect(after).toMatchObject({
		strict: false,
		conventions: { pageIndexName: 'page', pageSizeName: 'pageSize' },
	});
	expect((await sandbox().control.get('/settings')).data).toEqual(after);
	await sandbox().reset();
	expect((await sandbox().control.get('/settings')).data).toEqual(before);
});

test('reset clears everything', async () => {
	await sandbox().registerWebhook(receiver().url);
	await send();
	await sandbox().api.post('/api/campaigns/voice', voiceBody());
	await sandbox().idle();
	await sandbox().fault({ times: 'always', fault: { kind: 'status' } });
	await sandbox().advanceTo('2999-12-31T00:00:00Z');
	const pushed = receiver().hold();
	await sandbox().reset();
	pushed();
	const { deliveries, webhook, mostRequestsAtOnce, ...counts } = await sandbox().summary();
	expect(Object.values(counts).filter((count) => count !== 0)).toEqual([]);
	expect([deliveries.total, webhook.url]).toEqual([0, null]);
	expect(mostRequestsAtOnce).toBeLessThan(2);
	expect((await sandbox().webhook()).history).toEqual([]);
	const { now } = (await sandbox().control.get<{ now: string }>('/time')).data;
	expect(now < '2999').toBe(true);
	expect((await send()).status).toBe(200);
	expect((await sandbox().idle()).deliveries).toMatchObject({ total: 1, noUrl: 1 });
});

test.each([
	['post', '/events', { webhookType: 0 }, "body has an unknown member 'webhookType'"],
	['post', '/events', { webHookType: 'one' }, 'webHookType must be integer'],
	['post', '/events?wait=true', {}, "querystring has an unknown member 'wait'"],
	['post', '/time', { advanceSecond: 1 }, "unknown member 'advanceSecond'"],
	['post', '/reset?all=true', undefined, "unknown member 'all'"],
	['patch', '/settings', { convention: {} }, 'convention'],
	['get', '/summary?of=sms', undefined, "unknown member 'of'"],
	['get', '/requests?pth=x', undefined, "unknown member 'pth'"],
] as const)('%s %s with %j is refused by name', async (method, url, data, expected) => {
	const response = await sandbox().control.request<{ message: string }>({
		method,
		url,
		data,
		validateStatus: () => true,
	});
	expect([response.status, response.data.message]).toEqual([
		400,
		expect.stringContaining(expected),
	]);
});

test('reference.md tells of every path of the control API, every setting and every kind of fault', async () => {
	const reference = readFileSync('sandbox/reference.md', 'utf8');
	const files = readdirSync('sandbox/service').filter((name) => name.startsWith('control'));
	const routes = files
		.map((name) => readFileSync(`sandbox/service/${name}`, 'utf8'))
		.flatMap((text) => [...text.matchAll(/app\.\w+(?:<[^(]*>)?\(\s*'(\/[^']+)'/g)]);
	const paths = routes.map(([, route = '']) => `/_sandbox${route}`);
	expect(paths.length).toBeGreaterThan(10);
	const settings = (await sandbox().control.get<Record<string, object>>('/settings')).data;
	const names = Object.entries(settings).flatMap(([name, value]) =>
		Array.isArray(value) || typeof value !== 'object' || name === 'authentication'
			? [name]
			: Object.keys(value),
	);
	const faults = Object.keys(faultKinds).map((kind) => `| \`${kind}\` |`);
	expect([...paths, ...names, ...faults].filter((text) => !reference.includes(text))).toEqual([]);
});
