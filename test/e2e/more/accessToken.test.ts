import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CredentialSummary, Execution } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { login } from '../../../sandbox/service/tokens.ts';
import { rows, sendRow } from '../support/countedService.ts';
import { host, sandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { actionName, actionWorkflow, createCredential } from '../support/workflows.ts';

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
		const { items } = await sandbox().requests({ limit: 100_000 });
		for (const { headers } of items) {
			const [, token] = /^Bearer (.+)$/.exec(String(headers.authorization)) ?? [];
			if (token !== undefined) tokens.add(token);
		}
		await sandbox().reset();
	});

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

	/** Makes each request take a while. */
	const slowService = async () => {
		await sandbox().fault({
			match: { path: '/api/SMSMessages' },
			times: 'always',
			fault: { kind: 'delay', delayMs: 200 },
		});
	};

	it('tokens that are revoked in the middle are replaced, with one request at a time as well', async () => {
		for (const concurrentRequests of [10, 1]) {
			await slowService();
			const before = await sandbox().tokens();
			const count = concurrentRequests === 1 ? 10 : 60;
			const credential = await account({ concurrentRequests });
			const running = send(count, credential);
			await poll(async () => (await sent()).length >= 2 || undefined, {
				what: 'the first texts',
				timeout: 60_000,
			});
			await sandbox().revokeTokens();
			expect((await running).status).toBe('success');
			expect(await sent()).toEqual(all(count));
			const { accepted } = (await sandbox().tokens()).logins;
			expect(accepted - before.logins.accepted).toBeLessThanOrEqual(2);
			await sandbox().reset();
			await sandbox().settings({ authentication: { tokenOnly: true } });
		}
	});

	it('300 texts with tokens that live two seconds go out once each, ten at a time', async () => {
		await sandbox().settings({ tokens: { expiresInSeconds: 2 } });
		await slowService();
		expect((await send(300, await account())).status).toBe('success');
		expect(await sent()).toEqual(all(300));
		const { accepted, refused } = (await sandbox().tokens()).logins;
		console.log(`300 texts: ${String(accepted)} logins`);
		expect(refused).toBe(0);
		// Thirty times 200 ms, with a login for each second.
		expect(accepted).toBeGreaterThanOrEqual(5);
		expect((await sandbox().summary()).mostRequestsAtOnce).toBe(10);
	});

	/** The third text is refused once. */
	const refuseOne = async () => {
		await sandbox().fault({
			match: { path: '/api/SMSMessages' },
			...{ skip: 2, fault: { kind: 'status', status: 400 } },
		});
	};

	it('Retry On Fail sends the rest with a new token where the old one has ended', async () => {
		await sandbox().settings({ tokens: { expiresInSeconds: 1 } });
		await refuseOne();
		const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1500 };
		const { status } = await send(5, await account({ concurrentRequests: 1 }), retryOnFail);
		expect(status).toBe('success');
		expect(await sent()).toEqual(all(5));
		expect((await sandbox().tokens()).logins.accepted).toBeGreaterThanOrEqual(2);
	});

	it('a retry by hand sends the rest with a new token where the old one was revoked', async () => {
		await refuseOne();
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

	it.each<[string, object, Record<string, unknown>]>([
		['takes three seconds', {}, { kind: 'delay', delayMs: 3000 }],
		[
			'does not say how long its token lives',
			{ tellsExpiry: false },
			{ kind: 'delay', delayMs: 1 },
		],
		['fails once', {}, { kind: 'status', status: 503 }],
	])('a login that %s serves all texts', async (_name, settings, fault) => {
		await sandbox().settings({ tokens: settings });
		await sandbox().fault({ match: { path: '/token' }, fault });
		expect((await send(20, await account())).status).toBe('success');
		expect(await sent()).toEqual(all(20));
		expect((await sandbox().tokens()).logins).toEqual({ accepted: 1, refused: 0 });
	});

	it.each<[string, Record<string, unknown>, Record<string, unknown> | undefined, string]>([
		[
			'is refused',
			{ oauthClientSecret: 'wrong-secret-4711' },
			undefined,
			'The service refused the login',
		],
		['fails', {}, { kind: 'status', status: 500 }, 'Could not log in at '],
		['answers with a web page', {}, { kind: 'html' }, 'The response to the login is a web page'],
	])('where a login %s, every row says that it was not sent', async (_name, data, fault, title) => {
		if (fault) await sandbox().fault({ match: { path: '/token' }, times: 'always', fault });
		const execution = await send(12, await account(data), { onError: 'continueErrorOutput' });
		const failed = execution.items(actionName, 1).map(({ json }) => json);
		expect(failed).toHaveLength(12);
		expect(new Set(failed.map(({ sent: state }) => state))).toEqual(new Set(['no']));
		expect(String(failed[0]?.error)).toContain(title);
		expect(await sent()).toEqual([]);
	});

	it('the test of the credential says whether the login holds', async () => {
		const data = { ...CLIENT, baseUrl: sandbox().url, scope: 'test' };
		const right = await n8n.client.testCredential(await account(data), data);
		const wrong = { ...data, oauthClientSecret: 'wrong-secret-4711' };
		const refused = await n8n.client.testCredential(await account(wrong), wrong);
		responses.push(right, refused);
		expect(JSON.stringify(right)).toContain('Connection successful');
		expect(JSON.stringify(refused)).toContain('The service refused the login');
	});

	it('no secret and no token is in the database, the log or the API of n8n', async () => {
		// One more execution that fails: it is stored with its error.
		await sandbox().fault({ times: 'always', fault: { kind: 'status', status: 401 } });
		expect((await send(3, await account())).status).toBe('error');
		await n8n.stop();
		const folder = path.join(host().folder, 'n8n-access-token', '.n8n');
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => path.join(folder, name))
			.filter((file) => /(\.log|\.sqlite|-wal)$/.test(file) && statSync(file).isFile());
		const pair = Buffer.from(`${login.clientId}:${login.clientSecret}`).toString('base64');
		const secrets = [login.clientSecret, 'wrong-secret-4711', pair, ...tokens];
		expect(tokens.size).toBeGreaterThan(4);
		const places = [...files, n8n.logFile].map((file) => [file, readFileSync(file)] as const);
		// Both are the right ones: they tell of the login that was refused.
		for (const kind of [/\.sqlite|-wal$/, /\.log$/]) {
			const ofKind = places.filter(([file]) => kind.test(file));
			const told = ofKind.some(([, bytes]) => bytes.includes('The service refused the login'));
			expect({ kind: kind.source, told }).toEqual({ kind: kind.source, told: true });
		}
		places.push(['the API', Buffer.from(JSON.stringify(responses))]);
		const found = places.flatMap(([place, bytes]) =>
			secrets.filter((secret) => bytes.includes(secret)).map((secret) => [place, secret]),
		);
		expect(found).toEqual([]);
	});
});
