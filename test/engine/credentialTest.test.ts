import type { ServerResponse } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import { actionSuite } from '../support/actionSuite';
import type { CredentialValues } from '../support/engine';
import { actionType } from '../support/engine';
import { readBaseUrl } from '../../nodes/MessagingService/transport/address';
import { readSettings } from '../../nodes/MessagingService/transport/settings';
import { selfSignedCertificate } from '../support/certificate';
import { serversOfTest } from '../support/servers';

const { credential, sandbox } = actionSuite();
const startServer = serversOfTest();

const test = async (changes: CredentialValues = {}) =>
	await actionType.methods.credentialTest.testMessagingService.call(new CredentialTestContext(), {
		id: '1',
		name: 'test',
		type: 'messagingServiceApi',
		data: credential(changes),
	});

/** A service with one response to everything. */
const responding = async (status: number, body: string, headers: Record<string, string> = {}) =>
	await startServer((_request: unknown, response: ServerResponse) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(body);
	});

it('passes with one request, which has the authentication', async () => {
	expect(await test()).toEqual({ status: 'OK', message: 'Connection successful!' });
	const { items } = await sandbox().requests({ limit: 10 });
	expect(items.map(({ method, url, status }) => [method, url, status])).toEqual([
		['GET', '/api/Campaigns', 200],
	]);
});

it('fails with a sending policy that cannot be read', async () => {
	expect(await test({ sendingPolicy: true, sendingHoursFrom: "9 o'clock" })).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/^Sending Policy: Sending Hours From is not a time\. Fix it/),
	});
	expect(await test({ sendingPolicy: true, sendingHoursFrom: '09:00' })).toMatchObject({
		status: 'OK',
	});
});

it('fails with a time zone that does not exist', async () => {
	const testZone = async (serviceTimeZone: string) =>
		await test({ serviceConventions: true, serviceTimeZone });
	expect(await testZone('Europe/Lodon')).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/^Service Time Zone is not a known time zone/),
	});
	expect(await testZone('Europe/London')).toMatchObject({ status: 'OK' });
});

it.each<[string, CredentialValues]>([
	['Query Parameter', { authentication: 'query', queryName: 'a b', querySecret: 'x&y' }],
	['Custom JSON', { authentication: 'customJson', secretJson: '{"qs":{"a b":"x&y"}}' }],
])('sends what the authentication adds: %s', async (_kind, values) => {
	const server = await responding(200, '{"items":[]}');
	expect(await test({ ...values, baseUrl: server.url })).toMatchObject({ status: 'OK' });
	expect(server.received.map(({ url }) => decodeURIComponent(url))).toEqual([
		'/api/Campaigns?a b=x&y',
	]);
});

it.each([
	[200, '[]', /^The response of the service is not a page of records/],
	[200, 'null', /^The response of the service is not a page of records/],
	[200, '', /and an empty body/],
	[200, '{"items":"none"}', /^The response of the service is not a page of records/],
	[200, '<!doctype html><title>Log in</title>', /perhaps a login page/],
	[302, '', /^The service responded with a redirect.*https:\/\/login\.example\/in/],
	[401, '', /^The service did not accept the authentication\. .*secret in the credential/],
	[403, '', /^The service does not allow this request/],
	[404, '', /^This address has no \/api\/Campaigns\. Check the Base URL\.$/],
	[500, '{"message":"Out of order"}', /^The service failed to process the request: Out of order/],
])('fails on status %d with %j, and says why', async (status, body, message) => {
	const { url } = await responding(status, body, { location: 'https://login.example/in?a=b' });
	expect(await test({ baseUrl: url })).toEqual({
		status: 'Error',
		message: expect.stringMatching(message),
	});
});

it.each<[CredentialValues, RegExp]>([
	[{ baseUrl: '' }, /^The Base URL of the credential is empty\. Set the Base URL/],
	[{ baseUrl: 'ftp://127.0.0.1' }, /must start with https:\/\/ or http:\/\//],
	[{ baseUrl: 'no sense' }, /^The Base URL of the credential is not a valid address/],
	[{ defaultCountry: 'GBR' }, /^Default Country of the credential is not a country code \(GBR\)/],
	[{ baseUrl: 'http://127.0.0.1:9' }, /^Could not connect to 127\.0\.0\.1:9/],
	[
		{ authentication: 'customJson', secretJson: '{ "headers": ' },
		/^The "JSON" field of the credential is invalid\. Write it like \{/,
	],
	[{ headerSecret: 'key-4711\n2' }, /^The header "X-Api-Key" of the credential is not allowed/],
])('fails with %j, and says why', async (changes, message) => {
	expect(await test(changes)).toEqual({
		status: 'Error',
		message: expect.stringMatching(message),
	});
});

it('takes an address without https://, which is the same account', async () => {
	expect(await test({ baseUrl: '127.0.0.1:9' })).toMatchObject({
		message: expect.stringMatching(/^Could not connect to 127\.0\.0\.1:9/),
	});
	const settings = ['messaging.example.com', 'https://messaging.example.com'].map((baseUrl) => ({
		...{ used: readBaseUrl(baseUrl), account: readSettings({ baseUrl }).baseUrl },
	}));
	expect(settings[0]).toEqual(settings[1]);
});

it.each(['#', '/#', '/#/login', '?', '/?key=4711'])(
	'refuses an address as a browser shows it, with %s at its end',
	async (end) => {
		expect(await test({ baseUrl: `${sandbox().url}${end}` })).toMatchObject({
			message: expect.stringMatching(/^The Base URL of the credential must not contain \? or #/),
		});
	},
);

it('says whether the service is there without /api', async () => {
	const { url } = sandbox();
	for (const end of ['/api', '/api/', '/API']) {
		expect(await test({ baseUrl: `${url}${end}` })).toEqual({
			status: 'Error',
			message: `This address has no /api/Campaigns. Check the Base URL. Without /api at its end, it has: ${url}`,
		});
	}
	const gateway = await startServer((request, response) => {
		response.statusCode = request.url?.startsWith('/api/api/') === true ? 200 : 404;
		response.end('{"items":[]}');
	});
	expect(await test({ baseUrl: `${gateway.url}/api` })).toMatchObject({ status: 'OK' });
});

it('fails for a certificate that nobody has signed, unless SSL issues are ignored', async () => {
	const { url } = await startServer((_request, response) => {
		response.end('{"items":[]}');
	}, selfSignedCertificate());
	expect(await test({ baseUrl: url })).toMatchObject({
		message: expect.stringMatching(/^The certificate of .* could not be verified/),
	});
	expect(await test({ baseUrl: url, ignoreSslIssues: true })).toMatchObject({ status: 'OK' });
});

it('does not repeat a secret that the service writes back', async () => {
	const server = await startServer((request, response) => {
		response.writeHead(401).end(`Unknown key ${String(request.headers['x-api-key'])}`);
	});
	const { message } = await test({ baseUrl: server.url, headerSecret: 'key-4711' });
	expect(message).toContain('Unknown key *****');
	expect(message).not.toContain('key-4711');
});
