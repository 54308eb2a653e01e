import axios, { type AxiosRequestConfig } from 'axios';
import { useSandbox } from './setup';

const sandbox = useSandbox();

const post = async (config: AxiosRequestConfig, body: Record<string, unknown> = {}) => {
	const { status, data, headers } = await axios.post<unknown>(
		`${sandbox().url}/api/SMSMessages`,
		{ message: 'Hello', phoneNumber: '+447700900123', ...body },
		{ ...config, validateStatus: () => true, proxy: false },
	);
	return { status, data, challenge: headers['www-authenticate'] as unknown };
};

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('by default, a header X-Api-Key', async () => {
	expect((await post({ headers: { 'x-api-key': 'sandbox-key' } })).status).toBe(200);
	expect((await post({ headers: { 'X-API-KEY': 'sandbox-key' } })).status).toBe(200);
	for (const headers of [{}, { 'X-Api-Key': 'wrong' }, { 'X-Api-Key': '' }]) {
		const { status, data } = await post({ headers });
		expect([status, data]).toEqual([401, { message: expect.any(String) }]);
	}
	expect((await sandbox().summary()).smsMessages).toBe(2);
});

describe.each<[string, Record<string, unknown>, AxiosRequestConfig, AxiosRequestConfig]>([
	['none', { kind: 'none' }, {}, {}],
	[
		'basic',
		{ kind: 'basic', username: 'ann', password: 'p:ä' },
		{ headers: { authorization: basic('ann:p:ä') } },
		{ headers: { authorization: basic('ann:p') } },
	],
	[
		'bearer',
		{ kind: 'bearer', token: 'abc' },
		{ headers: { authorization: 'Bearer abc' } },
		{ headers: { authorization: 'abc' } },
	],
	[
		'header',
		{ kind: 'header', name: 'X-Token', value: 'abc' },
		{ headers: { 'x-token': 'abc' } },
		{ headers: { 'x-api-key': 'sandbox-key' } },
	],
	[
		'query',
		{ kind: 'query', name: 'api key', value: 'a b&c' },
		{ params: { 'api key': 'a b&c' } },
		{ params: { 'api key': 'a' } },
	],
	[
		'custom',
		{ kind: 'custom', headers: { 'X-One': 'first-key' }, query: { two: 'second-key' } },
		{ headers: { 'x-one': 'first-key' }, params: { two: 'second-key' } },
		{ headers: { 'x-one': 'first-key' } },
	],
])('%s', (kind, authentication, right, wrong) => {
	beforeEach(() => sandbox().settings({ authentication }));

	test('takes the right credentials', async () => {
		expect((await post(right)).status).toBe(200);
	});

	test('refuses wrong ones, and none', async () => {
		if (kind === 'none') return;
		const { status, data, challenge } = await post(wrong);
		expect([status, data]).toEqual([401, { message: expect.any(String) }]);
		expect(challenge !== undefined).toBe(['basic', 'bearer'].includes(kind));
		expect((await post({})).status).toBe(401);
	});
});

test('custom credentials in the body are not taken for fields', async () => {
	await sandbox().settings({ authentication: { kind: 'custom', body: { apiKey: 'secret-1' } } });
	expect((await post({}, { apiKey: 'secret-1' })).status).toBe(200);
	expect((await post({}, { apiKey: 'wrong' })).status).toBe(401);
	expect((await post({})).status).toBe(401);
});

test('the control API and the start page need none', async () => {
	const { status, data } = await axios.get<string>(sandbox().url, { proxy: false });
	expect(status).toBe(200);
	expect(data).toContain('Messaging service sandbox');
	expect((await sandbox().control.get('/time')).status).toBe(200);
});
