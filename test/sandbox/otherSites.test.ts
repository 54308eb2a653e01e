import axios from 'axios';
import { useSandbox } from './setup';

const sandbox = useSandbox();

const request = async (method: 'get' | 'post', path: string, headers: Record<string, string>) => {
	const { status } = await axios.request<unknown>({
		method,
		url: `${sandbox().url}${path}`,
		headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
		...(path.startsWith('/_sandbox/page') ? { data: '' } : {}),
		maxRedirects: 0,
		proxy: false,
		validateStatus: () => true,
	});
	return status;
};

const here = () => new URL(sandbox().url);

test.each(['/_sandbox/page/clear-faults', '/_sandbox/page/reset', '/_sandbox/reset'])(
	'a post to %s is taken from the page itself only',
	async (path) => {
		await sandbox().fault({ fault: { kind: 'cut' } });
		const faults = async () =>
			(await sandbox().control.get<{ items: unknown[] }>('/faults')).data.items.length;
		for (const origin of ['https://example.com', 'http://127.0.0.1:1', 'null']) {
			expect([origin, await request('post', path, { origin })]).toEqual([origin, 403]);
		}
		expect(await faults()).toBe(1);
		for (const headers of [{ origin: here().origin }, {}] as Record<string, string>[]) {
			expect(await request('post', path, headers)).toBeLessThan(304);
		}
		expect(await faults()).toBe(0);
	},
);

describe('the name that it is asked for under', () => {
	const statuses = async (name: string) => {
		const headers = { host: `${name}:${here().port}` };
		return [
			await request('get', '/', headers),
			await request('get', '/_sandbox/deliveries', headers),
			await request('get', '/api/Campaigns', { ...headers, 'x-api-key': sandbox().apiKey }),
		];
	};

	test.each(['sandbox.example.com', 'localhost.example.com', '127.0.0.1.nip.io', '"><script>'])(
		'%s could be anybody',
		async (name) => {
			expect(await statuses(name)).toEqual([403, 403, 403]);
		},
	);

	test.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', 'sandbox', 'host.docker.internal'])(
		'%s is of this machine or its network',
		async (name) => {
			expect(await statuses(name)).toEqual([200, 200, 200]);
		},
	);
});
