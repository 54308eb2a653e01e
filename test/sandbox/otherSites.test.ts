import axios from 'axios';
import { useSandbox } from './setup';

const sandbox = useSandbox();

const request = async (method: 'get' | 'post', path: string, headers: Record<string, string>) => {
	const { status } = await axios.request<unknown>({
		method,
		url: `${sandbox().url}${path}`,
		headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
		...(method === 'post' && path.startsWith('/_sandbox/page')
			? { data: '' }
			: { data: undefined }),
		maxRedirects: 0,
		proxy: false,
		validateStatus: () => true,
	});
	return status;
};

const changes = ['/_sandbox/page/clear-faults', '/_sandbox/page/reset', '/_sandbox/reset'];
const here = () => new URL(sandbox().url);

describe.each(changes)('a post to %s', (path) => {
	beforeEach(async () => {
		await sandbox().fault({ fault: { kind: 'cut' } });
	});

	const faults = async () =>
		(await sandbox().control.get<{ items: unknown[] }>('/faults')).data.items.length;

	test.each([
		['another site, by what the browser says', { 'sec-fetch-site': 'cross-site' }],
		['another port of this machine', { 'sec-fetch-site': 'same-site' }],
		['another origin', { origin: 'https://example.com' }],
		['another port, by its origin', { origin: 'http://127.0.0.1:1' }],
		['a page without an origin', { origin: 'null' }],
	])('is refused when it comes from %s', async (_, headers) => {
		expect(await request('post', path, headers)).toBe(403);
		expect(await faults()).toBe(1);
	});

	test('is taken from the page itself, by each header that the browser may send', async () => {
		const { host, origin } = here();
		const allowed: Record<string, string>[] = [
			{ 'sec-fetch-site': 'same-origin', origin },
			{ 'sec-fetch-site': 'none' },
			{ origin },
			{ origin: `https://${host}` },
			{},
		];
		for (const headers of allowed) {
			expect(await request('post', path, headers)).toBeLessThan(304);
		}
		expect(await faults()).toBe(0);
	});
});

describe('the name that it is asked for under', () => {
	const port = () => here().port;

	test.each(['sandbox.example.com', 'localhost.example.com', '127.0.0.1.nip.io', '"><script>'])(
		'%s could be anybody',
		async (name) => {
			for (const path of ['/', '/_sandbox/deliveries']) {
				expect(await request('get', path, { host: `${name}:${port()}` })).toBe(403);
			}
			expect(await request('post', '/_sandbox/reset', { host: name })).toBe(403);
		},
	);

	test.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', 'sandbox', 'host.docker.internal'])(
		'%s is of this machine or its network',
		async (name) => {
			for (const path of ['/', '/_sandbox/deliveries']) {
				expect(await request('get', path, { host: `${name}:${port()}` })).toBe(200);
			}
		},
	);

	test('does not matter to the service', async () => {
		const headers = { host: 'sandbox.example.com', 'x-api-key': sandbox().apiKey };
		expect(await request('get', '/api/Campaigns', headers)).toBe(200);
	});
});
