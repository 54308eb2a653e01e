import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CredentialTestContext } from 'n8n-core';
import { selfSignedCertificate } from '../support/certificate';
import { actionSuite, retryingAtOnce, sendEach, sendMessage } from '../support/actionSuite';
import type { CredentialValues } from '../support/engine';
import { actionType, searchList } from '../support/engine';
import { PolledWorkflow } from '../support/poll';
import { expectNoSecret } from '../support/secrets';
import { serversOfTest, type Answer, type ReceivedRequest } from '../support/servers';
import { poll } from '../../host/poll.ts';
import { login } from '../../sandbox/service/tokens.ts';

const { credential, run: runOnce, sandbox } = actionSuite();
const run = retryingAtOnce(runOnce);
const startServer = serversOfTest();

const CLIENT = {
	loginWith: 'clientCredentials',
	oauthClientId: login.clientId,
	oauthClientSecret: login.clientSecret,
};

/** A credential with a login, whose tokens no other test has. */
const using = (values: CredentialValues = CLIENT) =>
	credential({
		authentication: 'accessToken',
		headerName: '',
		headerSecret: '',
		tokenUrl: '/token',
		clientId: randomUUID(),
		...values,
	});

const list = { resource: 'smsMessage', operation: 'getAll' };

/** So many texts, each to somebody else. */
const texts = (count: number) => ({
	parameters: { ...sendMessage, phoneNumber: '={{ $json.phone }}' },
	items: Array.from({ length: count }, (_, index) => ({
		phone: `+4477009${String(index).padStart(5, '0')}`,
	})),
});

/** What the requests were: `login`, or the status of another one. */
const statuses = (requests: { path: string; status: number | null }[]) =>
	requests.map(({ path, status }) => (path === '/token' ? 'login' : status));

const numbersSent = async () => {
	const { items } = await sandbox().requests({ operationId: 'sendSmsMessage', limit: 10_000 });
	return items
		.filter(({ status }) => status === 200)
		.map(({ body }) => (body as { phoneNumber: string }).phoneNumber);
};

const untilSent = async (count: number) =>
	await poll(async () => (await numbersSent()).length >= count || undefined, {
		what: 'the first texts',
		timeout: 30_000,
	});

beforeEach(async () => {
	await sandbox().settings({ authentication: { tokenOnly: true } });
});

/** Each kind of login, with what its request carries. */
const LOGINS: [string, CredentialValues, { body: unknown; authorization?: RegExp }][] = [
	[
		'Client Credentials',
		{ ...CLIENT, scope: 'sms voice' },
		{
			body: `grant_type=client_credentials&scope=sms+voice&client_id=${login.clientId}&client_secret=${login.clientSecret}`,
		},
	],
	[
		'Client Credentials in a header',
		{ ...CLIENT, scope: 'a b', clientCredentialsIn: 'header' },
		{ body: 'grant_type=client_credentials&scope=a+b', authorization: /^Basic \S+$/ },
	],
	[
		'User Name and Password',
		{ loginWith: 'password', username: login.username, password: login.password, scope: 'p' },
		{ body: `grant_type=password&username=${login.username}&password=${login.password}&scope=p` },
	],
	[
		'User Name, Password and a client',
		{ ...CLIENT, loginWith: 'password', username: login.username, password: login.password },
		{ body: expect.stringMatching(/^grant_type=password.*&client_id=sandbox-client&/) },
	],
	[
		'JSON',
		{
			loginWith: 'json',
			loginJson: JSON.stringify({ username: login.username, password: login.password }),
		},
		{ body: { username: login.username, password: login.password } },
	],
];

describe.each(LOGINS)('a login with %s', (_name, values, { body, authorization }) => {
	it.each([sendMessage, list])(
		'gives a token, which the next run uses as well: %j',
		async (action) => {
			const options = { credential: using(values) };
			const first = await run(action, options);
			expect(first.error).toBeUndefined();
			expect(statuses(first.requests)).toEqual(['login', 200]);
			const [tokenRequest, request] = first.requests;
			expect(tokenRequest?.body).toEqual(body);
			if (authorization) expect(tokenRequest?.headers.authorization).toMatch(authorization);
			expect(request?.headers.authorization).toMatch(/^Bearer sandbox-token-/);
			expect(statuses((await run(action, options)).requests)).toEqual([200]);
		},
	);

	it('works in the test of the credential', async () => {
		const result = await actionType.methods.credentialTest.testMessagingService.call(
			new CredentialTestContext(),
			{ id: '1', name: 'test', type: 'messagingServiceApi', data: using(values) },
		);
		expect(result).toMatchObject({ status: 'OK' });
	});
});

it('works in the lists of the editor and in polls', async () => {
	const account = using();
	expect(await searchList('searchSmsCampaigns', { credential: account })).toMatchObject({
		results: [],
	});
	expect(await new PolledWorkflow({ credential: account }).poll()).toBeNull();
	expect((await sandbox().tokens()).logins).toEqual({ accepted: 1, refused: 0 });
});

it('one login serves all requests that wait for it, with one at a time and with ten', async () => {
	for (const concurrentRequests of [1, 10]) {
		const before = (await sandbox().tokens()).logins.accepted;
		await sandbox().fault({ match: { path: '/token' }, fault: { kind: 'delay', delayMs: 300 } });
		const { parameters, items } = texts(20);
		const account = using({ ...CLIENT, concurrentRequests });
		const { error } = await run(parameters, { items, credential: account });
		expect(error).toBeUndefined();
		expect((await sandbox().tokens()).logins.accepted).toBe(before + 1);
	}
});

it('a token that was revoked is replaced, and each text goes out once', async () => {
	const { parameters, items } = texts(60);
	const account = using();
	await sandbox().fault({
		match: { path: '/api/SMSMessages' },
		times: 'always',
		fault: { kind: 'delay', delayMs: 40 },
	});
	const [{ error, requests }] = await Promise.all([
		run(parameters, { items, credential: account }),
		untilSent(10).then(async () => await sandbox().revokeTokens()),
	]);
	expect(error).toBeUndefined();
	expect(statuses(requests)).toContain(401);
	expect((await numbersSent()).sort()).toEqual(items.map(({ phone }) => phone));
	expect((await sandbox().tokens()).logins).toEqual({ accepted: 2, refused: 0 });
});

it('300 texts with tokens that live two seconds go out once each', async () => {
	await sandbox().settings({ tokens: { expiresInSeconds: 2 } });
	await sandbox().fault({
		match: { path: '/api/SMSMessages' },
		times: 'always',
		fault: { kind: 'delay', delayMs: 150 },
	});
	const { parameters, items } = texts(300);
	const { error, requests } = await run(parameters, { items, credential: using() });
	expect(error).toBeUndefined();
	expect((await numbersSent()).sort()).toEqual(items.map(({ phone }) => phone));
	// At least 4.5 s, with a login for each.
	const logins = requests.filter(({ path }) => path === '/token').length;
	expect(logins).toBeGreaterThanOrEqual(4);
	expect((await sandbox().tokens()).logins).toEqual({ accepted: logins, refused: 0 });
	expect(requests.filter(({ status }) => status === 401)).toEqual([]);
	expect((await sandbox().summary()).mostRequestsAtOnce).toBe(10);
});

it('a 401 for an old token sends with the current one, without another login', async () => {
	let tokens = 0;
	const authorizations: string[] = [];
	const { url } = await startServer(async ({ url: path, headers }, response) => {
		response.setHeader('content-type', 'application/json');
		if (path === '/token') {
			response.end(JSON.stringify({ access_token: `token-number-${++tokens}` }));
			return;
		}
		const authorization = String(headers.authorization);
		authorizations.push(authorization);
		const isOld = authorization.endsWith('-1');
		// The second request with the old token is refused long after the first.
		if (isOld && authorizations.length === 2) await pause(200);
		response.writeHead(isOld ? 401 : 200);
		response.end(isOld ? '' : '"6e1f1a2b-8c3d-4e5f-9a6b-7c8d9e0f1a2b"');
	});
	const { parameters, items } = texts(2);
	const { error } = await runOnce(parameters, {
		items,
		credential: using({ ...CLIENT, baseUrl: url }),
	});
	expect(error).toBeUndefined();
	expect(tokens).toBe(2);
	expect(authorizations.sort()).toEqual([
		'Bearer token-number-1',
		'Bearer token-number-1',
		'Bearer token-number-2',
		'Bearer token-number-2',
	]);
});

it('Retry On Fail goes on with a new token where the old one has ended between the tries', async () => {
	const { parameters, items } = texts(5);
	let tokens = 0;
	let ended = 0;
	const sent: string[] = [];
	const { url } = await startServer(({ url: path, headers, body }, response) => {
		response.setHeader('content-type', 'application/json');
		if (path === '/token') {
			response.end(JSON.stringify({ access_token: `token-number-${++tokens}` }));
			return;
		}
		const token = Number(String(headers.authorization).split('-').at(-1));
		const { phoneNumber } = JSON.parse(body) as { phoneNumber: string };
		const isRefused = ended === 0 && phoneNumber === items[2]?.phone;
		if (token <= ended) response.writeHead(401);
		else if (isRefused) response.writeHead(400);
		else sent.push(phoneNumber);
		if (isRefused) ended = token;
		response.end('"6e1f1a2b-8c3d-4e5f-9a6b-7c8d9e0f1a2b"');
	});
	const { error, items: output } = await runOnce(parameters, {
		items,
		credential: using({ ...CLIENT, baseUrl: url, concurrentRequests: 1 }),
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(error).toBeUndefined();
	expect(output).toHaveLength(items.length);
	expect(sent.sort()).toEqual(items.map(({ phone }) => phone));
	expect([tokens, ended]).toEqual([2, 1]);
});

it('a token that the service refuses with 403 is replaced, also in later runs', async () => {
	let valid = '';
	let logins = 0;
	const { url } = await startServer(({ url: path, headers }, response) => {
		response.setHeader('content-type', 'application/json');
		if (path === '/token') {
			valid = `token-number-${++logins}`;
			response.end(JSON.stringify({ access_token: valid }));
			return;
		}
		if (headers.authorization !== `Bearer ${valid}`) response.writeHead(403);
		response.end('"6e1f1a2b-8c3d-4e5f-9a6b-7c8d9e0f1a2b"');
	});
	const credential = using({ ...CLIENT, baseUrl: url });
	for (const count of [1, 2, 3]) {
		const { error } = await runOnce(sendMessage, { credential });
		expect([error, logins]).toEqual([undefined, count]);
		valid = 'another';
	}
});

it('a request that the account may not make costs one more login a run, not one a row', async () => {
	let logins = 0;
	const { url } = await startServer(({ url: path }, response) => {
		if (path === '/token') logins++;
		response.writeHead(path === '/token' ? 200 : 403, { 'content-type': 'application/json' });
		response.end(path === '/token' ? `{"access_token":"token-number-${logins}"}` : '{}');
	});
	const { parameters, items } = texts(20);
	const { items: output } = await runOnce(parameters, {
		items,
		credential: using({ ...CLIENT, baseUrl: url, concurrentRequests: 1 }),
		onError: 'continueRegularOutput',
	});
	expect([output.length, logins]).toEqual([20, 2]);
});

it.each([
	['POST /api/SMSMessages', sendMessage],
	['GET /api/SMSMessages', list],
])('a second 401 to %s is an error, which says what to look at', async (line, action) => {
	const { url } = await startServer(({ url: path }, response) => {
		response.writeHead(path === '/token' ? 200 : 401, { 'content-type': 'application/json' });
		response.end(path === '/token' ? '{"access_token":"never-accepted"}' : '{"message":"Unknown"}');
	});
	const { error } = await runOnce(action, { credential: using({ ...CLIENT, baseUrl: url }) });
	expect(error?.message).toBe('The service did not accept the authentication: Unknown');
	const told = error?.description ?? '';
	expect(told).toContain(`The service responded to ${line} with status 401. Check the kind of`);
	expect(told).toMatch(/logged in again before.*one token per client.*one worker/);
	if (action === sendMessage) expect(told).toContain('Nothing was sent by this run of the node.');
});

describe('renewal', () => {
	it.each([
		['after half of the time of a token that lives for less than two minutes', 100, 50],
		['a minute before the end of a token that lives longer', 3600, 3540],
	])('is made %s', async (_, expiresInSeconds, renewedAfter) => {
		await sandbox().settings({ tokens: { expiresInSeconds } });
		const now = jest.spyOn(Date, 'now');
		try {
			const account = using();
			const start = Date.now();
			now.mockReturnValue(start);
			await run(sendMessage, { credential: account });
			const loginsAfter = async (seconds: number) => {
				now.mockReturnValue(start + seconds * 1000);
				return statuses((await run(sendMessage, { credential: account })).requests);
			};
			expect(await loginsAfter(renewedAfter - 1)).toEqual([200]);
			expect(await loginsAfter(renewedAfter + 1)).toEqual(['login', 200]);
		} finally {
			now.mockRestore();
		}
	});

	it('waits for the refusal of a token whose login does not say how long it lives', async () => {
		await sandbox().settings({ tokens: { expiresInSeconds: 1, tellsExpiry: false } });
		const account = using();
		await run(sendMessage, { credential: account });
		expect(statuses((await run(sendMessage, { credential: account })).requests)).toEqual([200]);
		await pause(1100);
		expect(statuses((await run(sendMessage, { credential: account })).requests)).toEqual([
			401,
			'login',
			200,
		]);
	});
});

describe('a login that fails', () => {
	/** Wrong logins, and what the error says. */
	const REFUSED: [string, CredentialValues][] = [
		['a wrong client secret', { ...CLIENT, oauthClientSecret: 'wrong-secret-4711' }],
		['no secret at all', { ...CLIENT, oauthClientSecret: '' }],
		[
			'a wrong password',
			{ loginWith: 'password', username: login.username, password: 'wrong-4711' },
		],
		['a wrong JSON', { loginWith: 'json', loginJson: '{"username":"x","password":"wrong-4711"}' }],
	];

	it.each(REFUSED)(
		'%s: the title says that it was refused, nothing was sent',
		async (_name, values) => {
			const { error, requests } = await run(sendMessage, { credential: using(values) });
			expect(error?.message).toBe('The service refused the login');
			expect(error?.description).toMatch(
				/status 40[01]: The login is not known\. Check Token URL.*This request was not sent\./,
			);
			expect(error?.context?.itemIndex).toBe(0);
			expect(statuses(requests)).toEqual(['login']);
		},
	);

	it('a refused login is made once in a run, not once for each row', async () => {
		const { parameters, items } = texts(30);
		const { errorItems, requests } = await run(parameters, {
			items,
			credential: using({ ...CLIENT, oauthClientSecret: 'wrong-secret-4711' }),
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json }) => json.sent)).toEqual(items.map(() => 'no'));
		expect(statuses(requests)).toEqual(['login']);
	});

	it('where nobody listens says that the Token URL is to be checked', async () => {
		const server = await startServer(() => undefined);
		await server.close();
		const { error, requests } = await run(sendMessage, {
			credential: using({ ...CLIENT, tokenUrl: `${server.url}/token` }),
		});
		expect(error?.message).toBe(`Could not log in at ${server.host}`);
		expect(error?.description).toContain(
			`Could not connect to ${server.host}. Check the Token URL in the credential`,
		);
		expect(error?.description).not.toContain('Base URL');
		expect(requests).toEqual([]);
	});

	it('once in a long run does not end it, however many tokens it has had', async () => {
		let logins = 0;
		let used = '';
		const { url } = await startServer(({ url: path, headers }, response) => {
			response.setHeader('content-type', 'application/json');
			if (path === '/token') {
				response.statusCode = ++logins === 25 ? 500 : 200;
				response.end(JSON.stringify({ access_token: `token-number-${logins}` }));
				return;
			}
			// Each token is good for one message.
			const authorization = String(headers.authorization);
			response.statusCode = authorization === used ? 401 : 200;
			used = authorization;
			response.end('"6e1f1a2b-8c3d-4e5f-9a6b-7c8d9e0f1a2b"');
		});
		const { parameters, items } = texts(30);
		const { error } = await run(parameters, {
			items,
			credential: using({ ...CLIENT, baseUrl: url, concurrentRequests: 1 }),
		});
		expect([error, logins]).toEqual([undefined, 31]);
	});

	it('whose certificate cannot be verified is tried once in a run, and sends nothing', async () => {
		const server = await startServer(() => undefined, selfSignedCertificate());
		const { parameters, items } = texts(3);
		const { errorItems } = await run(parameters, {
			items,
			credential: using({ ...CLIENT, tokenUrl: `${server.url}/token` }),
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json }) => json.sent)).toEqual(['no', 'no', 'no']);
		expect(String(errorItems[0]?.json.description)).toMatch(/could not be verified/);
		expect(server.connections).toBe(1);
		expect(await numbersSent()).toEqual([]);
	});

	it.each([
		...[408, 429, 500, 502, 503, 599].map((status) => [status, 'tried again']),
		...[300, 302, 307, 399, 404, 409, 499].map((status) => [status, 'an error']),
	])('a login with status %i is %s', async (status, isWhat) => {
		const fault = { kind: 'status', status };
		await sandbox().fault({ match: { path: '/token' }, times: 1, fault });
		const { error, requests } = await run(sendMessage, { credential: using() });
		const isAgain = isWhat === 'tried again';
		expect(error?.message).toBe(isAgain ? undefined : 'The service refused the login');
		expect(statuses(requests)).toEqual(isAgain ? ['login', 'login', 200] : ['login']);
	});

	it.each(['status', 'cut'])('a fault of the service (%s) is tried again', async (kind) => {
		await sandbox().fault({ match: { path: '/token' }, times: 2, fault: { kind } });
		const { error, requests } = await run(sendMessage, { credential: using() });
		expect(error).toBeUndefined();
		expect(statuses(requests)).toEqual(['login', 'login', 'login', 200]);
	});

	it.each(['status', 'cut'])(
		'a fault that stays (%s) is an error: nothing was sent',
		async (kind) => {
			await sandbox().fault({ match: { path: '/token' }, times: 'always', fault: { kind } });
			const { error, errorItems, requests } = await run(sendMessage, {
				credential: using(),
				onError: 'continueErrorOutput',
			});
			expect(error).toBeUndefined();
			expect(errorItems[0]?.json).toMatchObject({
				sent: 'no',
				error: `Could not log in at ${new URL(sandbox().url).host}`,
			});
			expect(statuses(requests)).toEqual(['login', 'login', 'login', 'login']);
		},
	);

	it('a login server that is down is not asked for each of many rows', async () => {
		await sandbox().fault({
			match: { path: '/token' },
			times: 'always',
			fault: { kind: 'status', status: 500 },
		});
		const people = Array.from({ length: 120 }, (_, row) => ({
			phoneNumber: `+447700900${String(row).padStart(3, '0')}`,
		}));
		const { errorItems, requests } = await run(sendEach, {
			items: people,
			credential: using(),
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json }) => json.sent)).toEqual(people.map(() => 'no'));
		expect(requests.length).toBeLessThanOrEqual(20);
	});

	it.each<[string, string, string, RegExp]>([
		[
			'a web page',
			'<!DOCTYPE html><h1>Sign in</h1>',
			'The response to the login is a web page without a token',
			/Token URL/,
		],
		[
			'no token',
			'{"jwt":"very-secret-token","user":{}}',
			'The response to the login has no token in "access_token"',
			/the fields jwt, user\./,
		],
		[
			'nested fields',
			'{"data":{"token":"very-secret-token","user":{"id":7}},"ok":true}',
			'The response to the login has no token in "access_token"',
			/the fields data, data\.token, data\.user, data\.user\.id, ok\..* Token Field/,
		],
		[
			'a number',
			'{ "access_token": 12345 }',
			'The response to the login has no token in "access_token"',
			/with JSON, enter the field .* as Token Field/,
		],
		[
			'an object',
			'{ "access_token": { "token": "very-secret-token" } }',
			'The response to the login has no token in "access_token"',
			/the fields access_token, access_token\.token\..* Token Field/,
		],
		[
			'a text with spaces',
			'{ "access_token": "Bearer very-secret-token" }',
			'The response to the login has no token in "access_token"',
			/ask the service operator/,
		],
		[
			'an umlaut',
			'{ "access_token": "sch\u00f6n" }',
			'The response to the login has no token in "access_token"',
			/ask the service operator/,
		],
		[
			'a hundred fields and no token',
			JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, 1]))),
			'The response to the login has no token in "access_token"',
			/the fields field0, field1, [^]{150,190}\.\.\./,
		],
		['nothing', '', 'The response to the login has no token in "access_token"', /no fields/],
	])('%s in its response is an error without its values', async (_name, body, title, advice) => {
		const { url } = await startServer((_request: ReceivedRequest, response: ServerResponse) => {
			response.end(body);
		});
		const { error } = await run(sendMessage, { credential: using({ ...CLIENT, baseUrl: url }) });
		expect(error?.message).toBe(title);
		expect(error?.description).toMatch(advice);
		expectNoSecret([error], ['very-secret-token']);
	});

	it.each<[string, CredentialValues, string, RegExp?]>([
		['', CLIENT, 'The Token URL of the credential is empty'],
		[
			'https://ann:secret-4711@login.example/token',
			CLIENT,
			'The Token URL of the credential contains a user name or password',
			/Enter them in the fields below it\./,
		],
		['token', CLIENT, 'The Token URL of the credential is not a valid address'],
		[
			'ftp://x.example/token',
			CLIENT,
			'The Token URL of the credential must start with https:// or http://',
		],
		[
			'/token',
			{ loginWith: 'json', loginJson: '["secret-4711"]' },
			'The Login JSON of the credential is invalid',
			/Enter the JSON object that the service expects/,
		],
	])(
		'fields that make no login (%j) are an error before any request',
		async (
			tokenUrl,
			values,
			title,
			advice = /Set the Token URL .* or to a path .* like \/token\./,
		) => {
			const { error, requests } = await run(sendMessage, {
				credential: using({ ...values, tokenUrl }),
			});
			expect(error?.message).toBe(title);
			expect(error?.description).toMatch(advice);
			expect(requests).toEqual([]);
			expectNoSecret([error], ['secret-4711']);
		},
	);

	it('a canceled execution does not wait for it, and another one has its token', async () => {
		await sandbox().fault({ match: { path: '/token' }, fault: { kind: 'delay', delayMs: 1500 } });
		const account = using();
		const canceled = runOnce(sendMessage, { credential: account, cancel: pause(200) });
		const other = pause(100).then(async () => await runOnce(sendMessage, { credential: account }));
		expect((await canceled).items).toEqual([]);
		expect((await other).error).toBeUndefined();
		expect((await sandbox().tokens()).logins.accepted).toBe(1);
		expect(await numbersSent()).toHaveLength(1);
	});
});

it.each<[string, unknown, string | undefined]>([
	['access_token', { access_token: 'token-4711' }, undefined],
	['data.token', { data: { token: 'token-4711', expires_in: 60 } }, undefined],
	['', 'token-4711', undefined],
])('finds the token of a JSON login in the field %j', async (tokenField, response) => {
	const { url, received } = await startServer(
		(_request: ReceivedRequest, answer: ServerResponse) => {
			answer.setHeader('content-type', 'application/json');
			answer.end(
				JSON.stringify(
					_request.url === '/v1/token?a=b' ? response : '6e1f1a2b-8c3d-4e5f-9a6b-7c8d9e0f1a2b',
				),
			);
		},
	);
	const values = {
		loginWith: 'json',
		loginJson: '{"a":1}',
		tokenField,
		tokenUrl: `${url}/v1/token?a=b`,
	};
	const { error } = await run(sendMessage, { credential: using({ ...values, baseUrl: url }) });
	expect(error).toBeUndefined();
	expect(received.map(({ headers }) => headers.authorization)).toEqual([
		undefined,
		'Bearer token-4711',
	]);
});

describe('secrets', () => {
	it.each<[string, Answer]>([
		['a web page', (_, response) => void response.end('<!DOCTYPE html><h1>Sign in</h1>')],
		['a response without a token', (_, response) => void response.end('{}')],
		['a redirect', (_, response) => void response.writeHead(302, { location: '/login' }).end()],
		['a refusal', (_, response) => void response.writeHead(401).end()],
		['a fault of the service', (_, response) => void response.writeHead(500).end()],
		['no response', (_, response) => void response.destroy()],
	])('of the Token URL appear in no error where the login gets %s', async (_name, answer) => {
		const { url } = await startServer(answer);
		const tokenUrl = '/token?api_key=secret-4711';
		const account = using({ ...CLIENT, baseUrl: url, tokenUrl });
		const { error, run: data } = await run(sendMessage, { credential: account });
		expect(error?.description).toContain('POST /token');
		expectNoSecret([error, data], ['secret-4711']);
	});

	const SECRET = `s3cret!'()*&=/+"<x> ü%4711`;
	const encoded = new URLSearchParams([['', SECRET]]).toString().slice(1);
	const BASIC = Buffer.from(`client-11:${encoded}`).toString('base64');

	it.each<[string, CredentialValues]>([
		[
			'client credentials',
			{ loginWith: 'clientCredentials', oauthClientId: 'client-11', oauthClientSecret: SECRET },
		],
		[
			'client credentials in a header',
			{
				loginWith: 'clientCredentials',
				oauthClientId: 'client-11',
				oauthClientSecret: SECRET,
				clientCredentialsIn: 'header',
			},
		],
		['a password', { loginWith: 'password', username: 'ann', password: SECRET }],
		['JSON', { loginWith: 'json', loginJson: JSON.stringify({ a: { key: SECRET } }) }],
	])('that a service writes back appear in no error: %s', async (_name, values) => {
		let tokens = 0;
		const seen: string[] = [];
		const { url } = await startServer(({ url: path, headers, body }, response) => {
			const echo = `${body} ${JSON.stringify(headers)} ${JSON.stringify(SECRET)} ${seen.join(' ')}`;
			if (path !== '/token') {
				response.writeHead(401);
				response.end(JSON.stringify({ message: echo }));
			} else {
				const token = `echoed-token-${++tokens}-4711`;
				seen.push(token);
				response.writeHead(tokens > 2 ? 400 : 200);
				response.end(JSON.stringify(tokens > 2 ? { error: echo } : { access_token: token }));
			}
		});
		const account = using({ ...values, baseUrl: url });
		const refusedRequest = await runOnce(sendMessage, { credential: account });
		const refusedLogin = await runOnce(sendMessage, { credential: account });
		expect(refusedRequest.error?.message).toContain('*****');
		expect(refusedLogin.error?.message).toBe('The service refused the login');
		expect(refusedLogin.error?.description).toContain('*****');
		const forms = [SECRET, encoded, encodeURIComponent(SECRET), BASIC, ...seen];
		const shown = [refusedRequest, refusedLogin].map(({ error, run: data }) => [error, data]);
		expectNoSecret(shown, forms);
	});
});
