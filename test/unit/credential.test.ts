import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodePropertyOptions,
} from 'n8n-workflow';
import { INVALID_CREDENTIAL } from '../../nodes/MessagingService/transport/errorCodes';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';

const credential = new MessagingServiceApi();

/** A request as the node makes it, with things of its own that must stay. */
const request = (): IHttpRequestOptions => ({
	method: 'POST',
	url: 'https://messaging.example.com/api/Campaigns',
	headers: { Accept: 'application/json' },
	qs: { pageSize: 10 },
	body: { message: 'Hello' },
});

/** The request after the credential's authentication was added. */
async function authenticated(values: ICredentialDataDecryptedObject, options = request()) {
	if (typeof credential.authenticate !== 'function') throw new Error('No authenticate function');
	return await credential.authenticate(values, options);
}

describe('authentication', () => {
	test('covers every kind that can be chosen', () => {
		const field = credential.properties.find(({ name }) => name === 'authentication');
		const kinds = (field?.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(kinds).toEqual(['basicAuth', 'bearer', 'customJson', 'header', 'none', 'query']);
	});

	test('none leaves the request as it is', async () => {
		expect(await authenticated({ authentication: 'none', token: 'x' })).toEqual(request());
	});

	test('basic auth sends user name and password as UTF-8', async () => {
		const password = ' pässwörd: ';
		const { headers, ...rest } = await authenticated({
			authentication: 'basicAuth',
			username: ' me ',
			password,
		});
		const authorization = String(headers?.Authorization);
		expect(authorization).toMatch(/^Basic /);
		expect(Buffer.from(authorization.slice(6), 'base64').toString('utf8')).toBe(`me:${password}`);
		expect({ ...rest, headers: { Accept: headers?.Accept } }).toEqual(request());
	});

	test('basic auth works without a password', async () => {
		const { headers } = await authenticated({ authentication: 'basicAuth', username: 'me' });
		expect(headers?.Authorization).toBe(`Basic ${Buffer.from('me:').toString('base64')}`);
	});

	test('bearer sends the token, without the spaces of a careless paste', async () => {
		expect(await authenticated({ authentication: 'bearer', token: ' abc\n' })).toEqual({
			...request(),
			headers: { Accept: 'application/json', Authorization: 'Bearer abc' },
		});
	});

	test('header sends the header of that name', async () => {
		const values = { authentication: 'header', headerName: ' X-Key ', headerSecret: 'abc ' };
		expect(await authenticated(values)).toEqual({
			...request(),
			headers: { Accept: 'application/json', 'X-Key': 'abc' },
		});
	});

	test('query sends the parameter of that name beside the others', async () => {
		const values = { authentication: 'query', queryName: 'key', querySecret: 'a&b=c' };
		expect(await authenticated(values)).toEqual({
			...request(),
			qs: { pageSize: 10, key: 'a&b=c' },
		});
	});

	test('custom JSON adds headers and query parameters', async () => {
		const secretJson = JSON.stringify({
			headers: { 'X-User': 'me' },
			qs: { key: 'abc' },
		});
		expect(await authenticated({ authentication: 'customJson', secretJson })).toEqual({
			...request(),
			headers: { Accept: 'application/json', 'X-User': 'me' },
			qs: { pageSize: 10, key: 'abc' },
		});
	});

	test('custom JSON may be a part of that', async () => {
		const values = { authentication: 'customJson', secretJson: ' { "qs": { "key": "abc" } } ' };
		expect(await authenticated(values)).toEqual({ ...request(), qs: { pageSize: 10, key: 'abc' } });
		const none = { authentication: 'customJson', secretJson: '{}' };
		expect(await authenticated(none)).toEqual(request());
	});

	test.each([
		[{ body: { message: 'x' } }, { message: 'Hi' }, 'unknown name'],
		[{ header: { 'X-Key': 'x' } }, undefined, 'unknown name'],
		[{ 'X-Api-Key': 'x' }, undefined, 'unknown name'],
		[{ headers: { 'X-Key': null } }, undefined, 'value of header "X-Key" in the credential'],
		[{ headers: { 'X-Key': { a: 1 } } }, undefined, 'value of header "X-Key" in the credential'],
	])('custom JSON %j is refused for the body %j', async (custom, body, problem) => {
		const read = { method: 'POST', url: 'https://messaging.example.com/', body } as const;
		const values = { authentication: 'customJson', secretJson: JSON.stringify(custom) };
		await expect(authenticated(values, { ...read } as never)).rejects.toThrow(problem);
	});

	test.each([
		'{"headers": {"X-Key": "top-secret"}',
		'top-secret',
		'"top-secret"',
		'["top-secret"]',
		'',
		'null',
		'5',
	])('custom JSON that is no object is refused without quoting it (%j)', async (secretJson) => {
		const running = authenticated({ authentication: 'customJson', secretJson });
		const error = (await running.catch((reason: unknown) => reason)) as Error & IDataObject;
		expect(error.message).toMatch(/^The "JSON" field of the credential is not a JSON object/);
		const everything = [error.message, error.stack, error.description, error.cause].join();
		expect(everything).not.toContain('top-secret');
	});
});

/** What the authentication fails with. */
async function failure(values: ICredentialDataDecryptedObject) {
	const reason: unknown = await authenticated(values).catch((error: unknown) => error);
	if (!(reason instanceof Error)) throw new Error('The authentication did not fail');
	return reason;
}

describe('a header that HTTP does not allow', () => {
	test.each(['', ' ', 'X Key', 'X:Key', 'X\nKey', 'Schlüssel'])(
		'is refused by its name %j',
		async (headerName) => {
			const values = { authentication: 'header', headerName, headerSecret: 'top-secret' };
			const error = await failure(values);
			expect(error).toMatchObject({ code: INVALID_CREDENTIAL });
			expect(error.message).toMatch(/^The header name in the credential is invalid\./);
		},
	);

	test.each(['top-secret\r\nX-Other: 1', 'top-\u0000secret', 'top-secret€', 'top-secret\u007f!'])(
		'is refused by its value, without quoting it (%j)',
		async (secret) => {
			const kinds: ICredentialDataDecryptedObject[] = [
				{ authentication: 'header', headerName: 'X-Key', headerSecret: secret },
				{ authentication: 'bearer', token: secret },
				{
					authentication: 'customJson',
					secretJson: JSON.stringify({ headers: { 'X-Key': secret } }),
				},
			];
			for (const values of kinds) {
				const error = await failure(values);
				expect(error).toMatchObject({ code: INVALID_CREDENTIAL });
				expect(error.message).toMatch(/^The value of header "(X-Key|Authorization)" in the cred/);
				expect(`${error.message} ${error.stack}`).not.toContain('secret\r');
				expect(`${error.message} ${error.stack}`).not.toContain('top-');
			}
		},
	);

	test.each([
		...['Host', 'content-length', 'Transfer-Encoding', 'TE', 'Connection', 'Expect', 'Trailer'],
		...['Upgrade', 'Keep-Alive', 'constructor', '__proto__', 'prototype'],
	])('is refused where it would make another request of it (%s)', async (headerName) => {
		const values = { authentication: 'header', headerName, headerSecret: 'top-secret' };
		expect(await failure(values)).toMatchObject({
			code: INVALID_CREDENTIAL,
			message: `The header "${headerName}" of the credential is not allowed. Enter another header name.`,
		});
	});

	test.each(['X-Host', 'Host-Key', 'TEX', 'X-Upgrade', 'constructors'])(
		'is none that is only named alike (%s)',
		async (headerName) => {
			const values = { authentication: 'header', headerName, headerSecret: 'secret' };
			expect((await authenticated(values)).headers).toHaveProperty([headerName], 'secret');
		},
	);

	test('is none that has a tab or a letter of Latin-1', async () => {
		const values = { authentication: 'header', headerName: 'X-Key', headerSecret: 'a\tbü' };
		expect((await authenticated(values)).headers).toHaveProperty('X-Key', 'a\tbü');
	});
});

describe('a query parameter that would get lost', () => {
	const kindsWith = (name: string, secret: string): ICredentialDataDecryptedObject[] => [
		{ authentication: 'query', queryName: name, querySecret: secret },
		{ authentication: 'customJson', secretJson: `{"qs":{${JSON.stringify(name)}:"${secret}"}}` },
	];

	test.each(['', 'constructor', 'prototype'])('is refused by its name %j', async (name) => {
		for (const values of kindsWith(name, 'top-secret')) {
			expect(await failure(values)).toMatchObject({
				code: INVALID_CREDENTIAL,
				message: expect.stringMatching(
					/^The name of a query parameter in the credential is invalid\./,
				),
			});
		}
	});

	test.each([
		['key', 'top-\ud83d'],
		['k\ude00', 'top-secret'],
	])(
		'is refused with an invalid Unicode character (%j, %j), without quoting it',
		async (name, secret) => {
			for (const values of kindsWith(name, secret)) {
				const error = await failure(values);
				expect(error).toMatchObject({
					code: INVALID_CREDENTIAL,
					message: expect.stringContaining('contains an invalid Unicode character'),
				});
				expect(`${error.message} ${error.stack}`).not.toContain('top-');
			}
		},
	);
});

describe('the fields of the credential', () => {
	test('that hold a secret are password fields', () => {
		const hidden = credential.properties
			.filter(({ typeOptions }) => typeOptions?.password === true)
			.map(({ name }) => name);
		expect(hidden).toEqual([
			'password',
			'token',
			'headerSecret',
			'querySecret',
			'secretJson',
			'webhookSecret',
		]);
	});

	test('of each kind of authentication are shown for that kind only', () => {
		const shown = (kind: string) =>
			credential.properties
				.filter(({ displayOptions }) => displayOptions?.show?.authentication?.includes(kind))
				.map(({ name }) => name);
		expect(
			Object.fromEntries(
				['none', 'basicAuth', 'bearer', 'header', 'query', 'customJson'].map((kind) => [
					kind,
					shown(kind),
				]),
			),
		).toEqual({
			none: [],
			basicAuth: ['username', 'password'],
			bearer: ['token'],
			header: ['headerName', 'headerSecret'],
			query: ['queryName', 'querySecret'],
			customJson: ['secretJson'],
		});
	});

	test('of the service conventions are folded away', () => {
		const folded = credential.properties
			.filter(({ displayOptions }) => displayOptions?.show?.serviceConventions !== undefined)
			.map(({ name, displayOptions }) => [name, displayOptions?.show?.serviceConventions]);
		expect(Object.fromEntries(folded)).toEqual({
			pageIndexParameter: [true],
			pageSizeParameter: [true],
			clientIdPlace: [true],
			serviceTimeZone: [true],
		});
		const field = credential.properties.find(({ name }) => name === 'serviceConventions');
		expect(field?.default).toBe(false);
	});
});

test.each(['headers', 'qs'])('Custom JSON whose %s is no object is refused', async (part) => {
	const values = { authentication: 'customJson', secretJson: `{ "${part}": "secret-4711" }` };
	const request = new MessagingServiceApi().authenticate(values, { url: 'http://127.0.0.1' });
	await expect(request).rejects.toMatchObject({
		code: INVALID_CREDENTIAL,
		message: expect.stringContaining(
			`"${part}" in the "JSON" field of the credential is not a JSON object.`,
		),
	});
});
