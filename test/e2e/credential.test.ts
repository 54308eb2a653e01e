import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CredentialSummary, N8nClient } from '../../sandbox/host/n8nClient.ts';
import { loopback } from '../../sandbox/host/ports.ts';
import { loggedIn } from './support/host.ts';
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

	it('fails with a wrong key', async () => {
		expect(await test({ headerSecret: 'not-the-key' })).toMatchObject({ status: 'Error' });
	});

	it('fails without authentication', async () => {
		expect(await test({ authentication: 'none' })).toMatchObject({ status: 'Error' });
	});

	it('fails on a host that answers with a login page', async () => {
		const baseUrl = await serve(loginPage);
		expect(await test({ baseUrl })).toMatchObject({ status: 'Error' });
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
		expect(await test({ baseUrl })).toMatchObject({ status: 'Error' });
	});

	it('fails where nobody listens', async () => {
		expect(await test({ baseUrl: `http://${loopback}:9` })).toMatchObject({ status: 'Error' });
	});
});
