import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { loopback } from '../../host/ports.ts';
import { credentialType } from '../../host/workflows.ts';
import { host, loggedIn, sandbox } from './support/host.ts';
import { itOnN8n2 } from './support/versions.ts';
import { createCredential, sandboxCredentialData } from './support/workflows.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
	return `http://${loopback}:${String((server.address() as AddressInfo).port)}`;
}

const loginPage: RequestListener = (_request, response) => {
	response.writeHead(200, { 'content-type': 'text/html' });
	response.end('<!doctype html><title>Log in</title><form method="post"></form>');
};

describe('the test of the credential', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	const test = async (change: Record<string, unknown>) =>
		await n8n.testCredential(credential, { ...sandboxCredentialData(), ...change });

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Credential Test');
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
		await Promise.all(
			servers.map(async (server) => {
				await new Promise((resolve) => server.close(resolve));
			}),
		);
	});

	it('passes with the right key', async () => {
		expect(await test({})).toMatchObject({ status: 'OK' });
	});

	it('fails with a wrong key, and says so', async () => {
		expect(await test({ headerSecret: 'not-the-key' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('did not accept the authentication') as unknown,
		});
	});

	describe.each([
		['None', { kind: 'none' }, { authentication: 'none' }, undefined],
		[
			'Basic Auth',
			{ kind: 'basic', username: 'ada', password: 'pass:word' },
			{ authentication: 'basicAuth', username: 'ada', password: 'pass:word' },
			{ password: 'wrong' },
		],
		[
			'Bearer Token',
			{ kind: 'bearer', token: 'token-1' },
			{ authentication: 'bearer', token: 'token-1' },
			{ token: 'wrong' },
		],
		[
			'Header',
			{ kind: 'header', name: 'X-Other', value: 'key-1' },
			{ authentication: 'header', headerName: 'X-Other', headerSecret: 'key-1' },
			{ headerSecret: 'wrong' },
		],
		[
			'Query Parameter',
			{ kind: 'query', name: 'apiKey', value: 'key 1&2' },
			{ authentication: 'query', queryName: 'apiKey', querySecret: 'key 1&2' },
			{ querySecret: 'wrong' },
		],
		[
			'Custom JSON',
			{ kind: 'custom', headers: { 'X-User': 'ada' }, query: { key: 'key-1' } },
			{
				authentication: 'customJson',
				secretJson: '{ "headers": { "X-User": "ada" }, "qs": { "key": "key-1" } }',
			},
			{ secretJson: '{ "headers": { "X-User": "ada" } }' },
		],
	] as const)('with %s', (_name, authentication, right, wrong) => {
		beforeAll(async () => {
			await sandbox().control('PATCH', '/settings', { authentication });
		});

		afterAll(async () => {
			const { headerName: name, headerSecret: value } = sandboxCredentialData();
			await sandbox().control('PATCH', '/settings', {
				authentication: { kind: 'header', name, value },
			});
		});

		it('passes with what the service wants', async () => {
			expect(await test(right)).toMatchObject({ status: 'OK' });
		});

		if (wrong !== undefined) {
			it('fails with something else', async () => {
				expect(await test({ ...right, ...wrong })).toMatchObject({ status: 'Error' });
			});
		}
	});

	it('fails without authentication', async () => {
		expect(await test({ authentication: 'none' })).toMatchObject({ status: 'Error' });
	});

	it('fails on a host that responds with a login page', async () => {
		const baseUrl = await serve(loginPage);
		expect(await test({ baseUrl })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('perhaps a login page') as unknown,
		});
	});

	it('fails on a host that leads to a login page', async () => {
		const baseUrl = await serve((request, response) => {
			if (request.url === '/login') {
				loginPage(request, response);
				return;
			}
			response.writeHead(302, { location: '/login' });
			response.end();
		});
		expect(await test({ baseUrl })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('redirect') as unknown,
		});
	});

	it.each(['[]', 'null'])('fails on a host that responds with %s', async (body) => {
		const baseUrl = await serve((_request, response) => void response.end(body));
		expect(await test({ baseUrl })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('is not a page of records') as unknown,
		});
	});

	it('fails without a Base URL', async () => {
		expect(await test({ baseUrl: '' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('The Base URL of the credential is empty') as unknown,
		});
	});

	it('fails where nobody listens', async () => {
		expect(await test({ baseUrl: `http://${loopback}:9` })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining(`Could not connect to ${loopback}:9`) as unknown,
		});
	});
});

describe('the credential in other nodes', () => {
	// Otherwise a request by hand would avoid the sending policy.
	itOnN8n2('it restricts no credential to nodes')(
		'is refused by n8n, so that the HTTP Request node cannot send with it',
		async () => {
			const n8n = await loggedIn();
			const { id, name } = await createCredential(n8n, 'HTTP Request');
			const making = n8n.createWorkflow({
				name: 'Around the policy',
				nodes: [
					{
						...{ id: 'request', name: 'Request', position: [0, 0] },
						type: 'n8n-nodes-base.httpRequest',
						typeVersion: 4.2,
						parameters: {
							method: 'POST',
							url: `${host().sandboxUrl}/api/SMSMessages`,
							authentication: 'predefinedCredentialType',
							nodeCredentialType: credentialType,
						},
						credentials: { [credentialType]: { id, name } },
					},
				],
				connections: {},
			});
			await expect(making).rejects.toThrow(/restricted/);
			await n8n.deleteCredential(id);
		},
	);
});
