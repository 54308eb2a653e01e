import { setTimeout as pause } from 'node:timers/promises';
import { login } from '../../sandbox/service/tokens.ts';
import { useSandbox } from './setup';

const sandbox = useSandbox();

/** The status of a login, and the token that it gave. */
const logIn = async (body: URLSearchParams | Record<string, string>, authorization?: string) => {
	const headers = authorization === undefined ? {} : { Authorization: authorization };
	const { status, data } = await sandbox().api.post<Record<string, unknown>>('/token', body, {
		headers,
	});
	return { status, token: String(data.access_token), data };
};

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const { clientId, clientSecret, username, password } = login;
const client = { client_id: clientId, client_secret: clientSecret };
const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

/** The status of a list that is read with a token. */
const statusWith = async (token: string) => {
	const headers = { Authorization: `Bearer ${token}` };
	return (await sandbox().api.get('/api/Campaigns', { headers })).status;
};

test.each<[string, URLSearchParams | Record<string, string>, string?]>([
	['a client in the form', form({ grant_type: 'client_credentials', ...client })],
	['a client in the header', form({ grant_type: 'client_credentials' }), basic],
	['a user', form({ grant_type: 'password', username, password })],
	['a user of a client', form({ grant_type: 'password', username, password, ...client })],
	['JSON of a user', { username, password }],
	['JSON of a client', { clientId, clientSecret }],
])('a login gives a token that is accepted in place of the key: %s', async (_name, ...request) => {
	await sandbox().settings({ authentication: { tokenOnly: true } });
	const { status, token, data } = await logIn(...request);
	expect(status).toBe(200);
	expect(data).toEqual({ access_token: token, token_type: 'Bearer', expires_in: 3600 });
	expect(await statusWith(token)).toBe(200);
	expect(await statusWith('another')).toBe(401);
	expect((await sandbox().api.get('/api/Campaigns')).status).toBe(401);
});

test.each<[number, URLSearchParams | Record<string, string>]>([
	[401, form({ grant_type: 'client_credentials', ...client, client_secret: 'wrong' })],
	[401, form({ grant_type: 'client_credentials' })],
	[400, form({ grant_type: 'password', username, password: 'wrong' })],
	[401, form({ grant_type: 'password', username, password, client_id: 'wrong' })],
	[400, form({ grant_type: 'authorization_code', ...client })],
	[401, { username, password: 'wrong' }],
	[401, {}],
])('a wrong login is refused (%d): %s', async (status, body) => {
	expect(await logIn(body)).toMatchObject({ status });
	expect(await sandbox().tokens()).toEqual({ live: 0, logins: { accepted: 0, refused: 1 } });
});

test('a token lives as long as the settings say, or until it is revoked', async () => {
	await sandbox().settings({
		authentication: { tokenOnly: true },
		tokens: { expiresInSeconds: 0.3, tellsExpiry: false },
	});
	const short = await logIn({ username, password });
	expect(short.data).not.toHaveProperty('expires_in');
	expect(await statusWith(short.token)).toBe(200);
	await pause(350);
	expect(await statusWith(short.token)).toBe(401);
	await sandbox().settings({ tokens: { expiresInSeconds: null, tellsExpiry: true } });
	const long = await logIn({ username, password });
	expect(long.data).not.toHaveProperty('expires_in');
	expect(await statusWith(long.token)).toBe(200);
	await sandbox().revokeTokens();
	expect(await statusWith(long.token)).toBe(401);
});

test('with one token per client, a login revokes the token before it', async () => {
	await sandbox().settings({
		authentication: { tokenOnly: true },
		tokens: { onePerClient: true },
	});
	const first = await logIn({ username, password });
	const second = await logIn({ username, password });
	expect([await statusWith(first.token), await statusWith(second.token)]).toEqual([401, 200]);
});

test('faults reach a login', async () => {
	const fault = { kind: 'status', status: 503, retryAfter: 2 };
	await sandbox().fault({ match: { operationId: 'logIn' }, fault });
	expect((await logIn({ username, password })).status).toBe(503);
	expect((await logIn({ username, password })).status).toBe(200);
});
