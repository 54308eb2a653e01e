import type { ServerResponse } from 'node:http';
import { createHmac } from 'node:crypto';
import { actionSuite, byId, sendMessage } from '../support/actionSuite';
import { selfSignedCertificate } from '../support/certificate';
import type { CredentialValues } from '../support/engine';
import { runAction, searchList } from '../support/engine';
import { someOf } from '../support/runs';
import { expectNoSecret } from '../support/secrets';
import type { ReceivedRequest } from '../support/servers';
import { serversOfTest } from '../support/servers';

const { credential, run } = actionSuite();
const startServer = serversOfTest();

/** Everything that URLs and JSON write in another way. */
const SECRET = `top!'()*&=/+"<secret> ü%4711`;
const WEBHOOK_SECRET = 'webhook secret/4711';
const TOKEN = createHmac('sha256', WEBHOOK_SECRET)
	.update('messaging-service-webhook')
	.digest('hex');

/** For each kind: the credential, and what the service gets to see of it. */
const KINDS: [string, CredentialValues][] = [
	['Header', { authentication: 'header', headerName: 'X-Key', headerSecret: SECRET }],
	['Bearer Token', { authentication: 'bearer', token: SECRET }],
	['Basic Auth', { authentication: 'basicAuth', username: 'ann', password: SECRET }],
	['Query Parameter', { authentication: 'query', queryName: 'key', querySecret: SECRET }],
	[
		'Custom JSON',
		{
			authentication: 'customJson',
			secretJson: JSON.stringify({
				headers: { 'X-Key': SECRET },
				qs: { key: SECRET },
			}),
		},
	],
	['None, with a Webhook Secret', { authentication: 'none' }],
];

const strictly = (text: string) =>
	encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
/** The ways in which systems write a text into their responses and logs. */
const WRITINGS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	'URL-encoded': encodeURIComponent,
	'URL-encoded strictly': strictly,
	JSON: (text) => JSON.stringify(text),
};

const BASIC = Buffer.from(`ann:${SECRET}`).toString('base64');

const SECRETS = [SECRET, WEBHOOK_SECRET, TOKEN, BASIC, `ann:${SECRET}`].flatMap((secret) =>
	Object.values(WRITINGS).map((write) => write(secret).replace(/^"|"$/g, '')),
);

const OPERATIONS = {
	send: {
		...sendMessage,
	},
	get: {
		resource: 'phoneNumberStorage',
		operation: 'get',
		storageId: byId('x'),
		simple: false,
	},
	list: { resource: 'smsCampaign', operation: 'getAll' },
	post: { resource: 'smsCampaign', operation: 'postById', campaignId: byId('c7') },
	set: {
		resource: 'webhook',
		operation: 'set',
		webHookUrl: 'https://a.example/x',
		addToken: true,
	},
};

const using = (values: CredentialValues, baseUrl: string) =>
	credential({
		headerName: '',
		headerSecret: '',
		webhookSecret: WEBHOOK_SECRET,
		...values,
		baseUrl,
	});

/** What the service learned of the secrets, as it arrived, and as somebody who knows it would write it. */
function learned({ url, headers, body }: ReceivedRequest, values: CredentialValues): string[] {
	const own = values.authentication === 'none' ? [] : [SECRET];
	return [url, body, ...Object.values(headers).map(String), ...own, WEBHOOK_SECRET, TOKEN];
}

beforeAll(() => {
	// Retries follow without a wait: retry.test.ts has those.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => {
	jest.restoreAllMocks();
});

async function expectQuiet(values: CredentialValues, baseUrl: string) {
	const used = using(values, baseUrl);
	const runs = Object.values(OPERATIONS).map(async (parameters, index) => {
		const onError = index % 2 === 0 ? 'stopWorkflow' : 'continueErrorOutput';
		return await runAction({ parameters, credential: used, onError });
	});
	const search = searchList('searchSmsCampaigns', { credential: used }).catch(
		(error: unknown) => error,
	);
	expectNoSecret(await Promise.all([...runs, search]), SECRETS);
}

describe.each(KINDS)('%s: no secret comes out', (kind, values) => {
	const echo = (
		status: number,
		bodyOf: (request: ReceivedRequest) => string,
		headersOf: (request: ReceivedRequest) => Record<string, string> = () => ({}),
	) =>
		startServer((request: ReceivedRequest, response: ServerResponse) => {
			response.writeHead(status, { 'content-type': 'application/json', ...headersOf(request) });
			response.end(bodyOf(request));
		});

	const writings = Object.entries(WRITINGS).map(([how, write], index) => ({ how, write, index }));
	it.each(writings)('when the service writes it back: $how', async ({ write, index }) => {
		const written = (request: ReceivedRequest) => learned(request, values).map(write);
		// A response with a success status is passed on as it is.
		const servers = someOf([400, 401, 404, 500], index, 2).map(async (status) =>
			echo(status, (request) => written(request).join('\n')),
		);
		const complaint = echo(400, (request) => JSON.stringify({ errors: { key: written(request) } }));
		await Promise.all(
			(await Promise.all([...servers, complaint])).map(async ({ url }) => {
				await expectQuiet(values, url);
			}),
		);
	});

	it('when it redirects to a login page that names the address', async () => {
		const server = await echo(
			302,
			() => '',
			({ url }) => ({
				location: `https://login.example/?again=${encodeURIComponent(url)}&plain=${url}`,
				'x-request': url,
			}),
		);
		await expectQuiet(values, server.url);
	});

	it('when there is no response', async () => {
		const cut = await startServer((_request, response) => void response.destroy());
		const tls = await startServer(() => undefined, selfSignedCertificate());
		const urls = [
			...['http://127.0.0.1:1', 'http://messaging.invalid', cut.url, tls.url],
			...[tls.url.replace('https', 'http'), cut.url.replace('http', 'https')],
			...['', 'non sense', 'ftp://127.0.0.1', `http://ann:${encodeURIComponent(SECRET)}@127.0.0.1`],
		];
		await Promise.all(
			someOf(urls, kind.length, 3).map(async (url) => {
				await expectQuiet(values, url);
			}),
		);
	}, 120_000);

	it('when the response does not come in time', async () => {
		const silent = await startServer(() => undefined);
		const { error } = await run(OPERATIONS.send, {
			credential: { ...using(values, silent.url), timeout: 0.2 },
		});
		expect(error?.message).toMatch(/did not respond in time$/);
		expectNoSecret(error, SECRETS);
	});
});

describe('a result stays as the service returned it', () => {
	it.each<[string, CredentialValues]>([
		['Bearer Token', { authentication: 'bearer', token: 'Monday-4711-long-enough' }],
		[
			'Custom JSON',
			{
				authentication: 'customJson',
				secretJson: '{"headers":{"X-Company":"Acme Retail Ltd","X-Account":100200300400}}',
			},
		],
	])('also where it repeats what the credential holds (%s)', async (_kind, values) => {
		const record = {
			...{ storageID: 'x', number: '+447700900123', parameter1: 'Monday-4711-long-enough' },
			...{ parameter2: 'Acme Retail Ltd', account: 100200300400 },
		};
		const server = await startServer((_request, response) => {
			response.end(JSON.stringify(record));
		});
		const { items, error } = await run(OPERATIONS.get, { credential: using(values, server.url) });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toEqual(record);
	});
});
