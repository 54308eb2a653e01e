import type { IHookFunctions } from 'n8n-workflow';
import {
	assertReachable,
	ownUrl,
	withOwnToken,
} from '../../nodes/MessagingService/trigger/webhookUrls';
import { thrown } from './support/thrown';

const away = 'https://service.example.com';

const contextWith = (url?: string) =>
	({
		getNode: () => ({ id: 'n', name: 'Trigger', type: 'x' }),
		getNodeWebhookUrl: (name: string) => (name === 'default' ? url : 'https://another.example'),
	}) as unknown as IHookFunctions;

function problemOf(url: string, baseUrl = away) {
	try {
		assertReachable(contextWith(), url, 'Webhook URL', baseUrl);
		return undefined;
	} catch (error) {
		const { message, description } = error as Error & { description: string };
		return { message, description };
	}
}

describe('a URL that the service is to call', () => {
	test.each([
		...['https://n8n.example.com/webhook/a', 'http://n8n.example.com', 'HTTPS://N8N.EXAMPLE.COM'],
		...['http://10.0.0.0', 'http://10.0.0.1', 'http://128.0.0.1', 'http://192.168.127.1'],
		...['http://localhost.example.com', 'http://mylocalhost', 'http://127.0.0.1.example.com'],
		...['http://x127.0.0.1.example', 'http://[2001:db8::1]', 'http://[::2]', 'http://[::12]'],
		...['http://0.0.0.0.example.com', 'http://x.localhost.example', 'http://a127.0.0.x'],
	])('may be %s', (url) => {
		expect(problemOf(url)).toBeUndefined();
	});

	test.each([
		...['http://localhost:5678/webhook', 'https://a.b.localhost', 'http://127.0.0.1'],
		...['http://127.255.254.253', 'http://0.0.0.0', 'http://[::1]', 'http://[::]'],
	])('cannot be on this machine: %s, unless the service is, too', (url) => {
		const { origin } = new URL(url);
		for (const baseUrl of [away, 'nonsense', '']) {
			expect(problemOf(url, baseUrl)).toEqual({
				message: 'Webhook URL is on this machine: the service cannot reach it',
				description: expect.stringContaining(`The URL starts with ${origin}. `),
			});
		}
		for (const baseUrl of ['http://localhost:3000', 'http://127.0.0.1/api', 'http://[::1]']) {
			expect(problemOf(url, baseUrl)).toBeUndefined();
		}
	});

	test.each(['', 'n8n.example.com', 'ftp://n8n.example.com', 'xhttp://a', 'httpx://a', 'https:'])(
		'is http or https, and not %j',
		(url) => {
			expect(problemOf(url)).toEqual({
				message: 'Webhook URL is not an http or https URL',
				description: expect.stringMatching(`https://: .*This is ${url}$`),
			});
		},
	);
});

test('a trigger without URL says what is missing', () => {
	expect(ownUrl(contextWith('https://n8n.example.com/webhook/a'))).toBe(
		'https://n8n.example.com/webhook/a',
	);
	expect(thrown(() => ownUrl(contextWith()))).toMatchObject({
		message: 'The trigger has no URL',
		description: 'Set a Path in the node.',
	});
});

test.each<[string, string]>([
	[
		'https://n8n.example.com/webhook/other?a=1',
		'https://n8n.example.com/webhook/other?a=1&token=t',
	],
	['https://N8N.example.com:443/b', 'https://n8n.example.com/b?token=t'],
	...['http://n8n.example.com/b', 'https://n8n.example.com:8443/b', 'https://example.com/b'].map(
		(url): [string, string] => [url, url],
	),
	['nonsense', 'nonsense'],
])('%s is registered as %s', (url, expected) => {
	const credential = { token: 't', baseUrl: away, account: '', timeZone: '' };
	const own = 'https://n8n.example.com/webhook/own';
	expect(withOwnToken(url, own, credential)).toBe(expected);
	expect(withOwnToken(url, own, { ...credential, token: undefined })).toBe(url);
});
