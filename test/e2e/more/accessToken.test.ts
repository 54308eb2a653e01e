import type { CredentialSummary, Execution } from '../../../host/n8nClient.ts';
import { login } from '../../../sandbox/service/tokens.ts';
import { rows, sendRow } from '../support/countedService.ts';
import { sandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { actionWorkflow, createCredential } from '../support/workflows.ts';

const CLIENT = {
	authentication: 'accessToken',
	tokenUrl: '/token',
	loginWith: 'clientCredentials',
	oauthClientId: login.clientId,
	oauthClientSecret: login.clientSecret,
	clientCredentialsIn: 'header',
};

describe('Authentication: Access Token, in a real n8n', () => {
	const n8n = new OwnN8n('n8n-access-token', {
		N8N_LOG_LEVEL: 'debug',
		N8N_LOG_OUTPUT: 'console,file',
	});
	/** What the API of n8n has responded with. */
	const responses: unknown[] = [];
	/** All tokens that the service has given out. */
	const tokens = new Set<string>();
	let accounts = 0;

	beforeAll(async () => {
		await n8n.start();
	});
	afterAll(async () => {
		await n8n.stop();
	});
	beforeEach(async () => {
		await sandbox().settings({ authentication: { tokenOnly: true } });
	});
	afterEach(async () => {
		await noteTokens();
		await sandbox().reset();
	});

	async function noteTokens(): Promise<void> {
		const { items } = await sandbox().requests({ limit: 100_000 });
		for (const { headers } of items) {
			const [, token] = /^Bearer (.+)$/.exec(String(headers.authorization)) ?? [];
			if (token !== undefined) tokens.add(token);
		}
	}

	/** A credential whose tokens no other test has. */
	const account = async (data: Record<string, unknown> = {}): Promise<CredentialSummary> =>
		await createCredential(n8n.client, 'Access Token', {
			...CLIENT,
			scope: `account-${String(++accounts)}`,
			...data,
		});

	const send = async (
		count: number,
		credential: CredentialSummary,
		settings = {},
	): Promise<Execution> => {
		const { id } = await n8n.client.createWorkflow(
			actionWorkflow('Access Token', credential, rows(count), sendRow, settings),
		);
		const execution = await n8n.client.runWorkflow(id, 'Start');
		responses.push(execution);
		return execution;
	};

	/** The texts that the service accepted, sorted. */
	const sent = async () => {
		const { items } = await sandbox().requests({ operationId: 'sendSmsMessage', limit: 100_000 });
		return items
			.filter(({ status }) => status === 200)
			.map(({ body }) => (body as { message: string }).message)
			.sort();
	};

	const all = (count: number) =>
		rows(count)
			.map(({ text }) => text)
			.sort();

	it('a retry by hand sends the rest with a new token where the old one was revoked', async () => {
		// The third text is refused once.
		await sandbox().fault({
			match: { path: '/api/SMSMessages' },
			...{ skip: 2, fault: { kind: 'status', status: 400 } },
		});
		const failed = await send(5, await account({ concurrentRequests: 1 }));
		expect(failed.status).toBe('error');
		const before = (await sandbox().tokens()).logins.accepted;
		await sandbox().revokeTokens();
		const retried = await n8n.client.retryExecution(failed.id);
		responses.push(retried);
		expect(retried.status).toBe('success');
		expect(await sent()).toEqual(all(5));
		expect((await sandbox().tokens()).logins.accepted).toBe(before + 1);
	});

	it('no secret and no token is in the database, the log or the API of n8n', async () => {
		// Executions that fail are stored with their errors: of a request that is refused, with a new
		// token as well, and of a login.
		await sandbox().fault({
			match: { path: '/api/SMSMessages' },
			...{ times: 'always', fault: { kind: 'status', status: 401 } },
		});
		expect((await send(3, await account())).status).toBe('error');
		await noteTokens();
		const wrong = { ...CLIENT, oauthClientSecret: 'wrong-secret-4711' };
		expect((await send(3, await account(wrong))).status).toBe('error');
		const data = { ...wrong, baseUrl: sandbox().url, scope: 'test' };
		const tested = await n8n.client.testCredential(await account(data), data);
		expect(JSON.stringify(tested)).toContain('The service refused the login');
		responses.push(tested);
		await n8n.stop();
		const pair = Buffer.from(`${login.clientId}:${login.clientSecret}`).toString('base64');
		const secrets = [login.clientSecret, 'wrong-secret-4711', pair, ...tokens];
		expect(tokens.size).toBeGreaterThan(1);
		const places = n8n.written();
		// Both are the right ones: they tell of the login that was refused.
		for (const kind of [/\.sqlite|-wal$/, /\.log$/]) {
			const ofKind = places.filter(({ file }) => kind.test(file));
			const told = ofKind.some(({ bytes }) => bytes.includes('The service refused the login'));
			expect({ kind: kind.source, told }).toEqual({ kind: kind.source, told: true });
		}
		places.push({ file: 'the API', bytes: Buffer.from(JSON.stringify(responses)) });
		const found = places.flatMap(({ file, bytes }) =>
			secrets.filter((secret) => bytes.includes(secret)).map((secret) => ({ file, secret })),
		);
		expect(found).toEqual([]);
	});
});
