import { useSandbox } from './setup';

const sandbox = useSandbox();

const path = '/api/integrations/UpdateWebHook';

const register = (params: Record<string, unknown>, place = path, body?: unknown) =>
	sandbox().api.post<unknown>(place, body, { params });

test('adds, updates and removes the URL', async () => {
	const urls = ['http://127.0.0.1:9/one?token=a%20b&x=1', 'https://example.com/two', ''];
	for (const url of urls) {
		const { status, data } = await register({ url, clientId: 1001 });
		expect([status, data]).toEqual([204, '']);
		expect((await sandbox().webhook()).url).toBe(url || null);
	}
	const { history } = await sandbox().webhook();
	expect(history.map(({ url, clientId }) => [url, clientId])).toEqual(
		urls.map((url) => [url, 1001]),
	);
});

test.each(['nowhere', 'ftp://example.com/', 'http://', 'javascript:alert(1)'])(
	'refuses %s',
	async (url) => {
		const { status, data } = await register({ url, clientId: 1001 });
		expect([status, data]).toEqual([
			400,
			{ errors: { WebHookUrl: [expect.stringContaining('valid URL format')] } },
		]);
		expect((await sandbox().webhook()).url).toBeNull();
	},
);

test.each([
	['url', { clientId: 1001 }],
	['clientId', { url: '' }],
	['clientId', { url: '', clientId: 5 }],
	['clientId', { url: '', clientId: 'x' }],
	['uri', { url: '', clientId: 1001, uri: '' }],
])('refuses a request whose %s is wrong (%#)', async (field, params) => {
	const { status, data } = await register(params);
	expect([status, data]).toEqual([400, { errors: { [field]: [expect.any(String)] } }]);
});

test('the client identifier in the path', async () => {
	const url = 'http://127.0.0.1:9/';
	expect((await register({ url }, `${path}/1001`)).status).toBe(400);
	await sandbox().settings({ conventions: { clientIdPlace: 'path' } });
	expect((await register({ url }, `${path}/1001`)).status).toBe(204);
	expect((await register({ url, clientId: 1001 })).status).toBe(400);
	expect((await register({ url, clientId: 1001 }, `${path}/1001`)).status).toBe(400);
});

test('the client identifier in the body', async () => {
	const url = 'http://127.0.0.1:9/';
	expect((await register({ url }, path, { clientId: 1001 })).status).toBe(400);
	await sandbox().settings({ conventions: { clientIdPlace: 'body' } });
	expect((await register({ url }, path, { clientId: 1001 })).status).toBe(204);
	expect((await register({ url, clientId: 1001 })).status).toBe(400);
	expect((await register({ url })).status).toBe(400);
});
