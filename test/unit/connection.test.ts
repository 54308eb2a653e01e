import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { connect, PATIENT } from '../../nodes/MessagingService/transport/connection';
import { failureOf } from '../../nodes/MessagingService/transport/errors';
import type { ReadClient } from '../../nodes/MessagingService/transport/request';

const NODE = { id: '1', name: 'Messaging Service', type: 'x', typeVersion: 1 };

/** What of n8n a connection uses; the service has one response to everything. */
function contextWith(
	credential: ICredentialDataDecryptedObject,
	response: unknown = 'null',
	statusCode = 200,
) {
	const requests: IHttpRequestOptions[] = [];
	const credentials: unknown[] = [];
	const context = {
		getNode: () => NODE,
		getCredentials: async () => Promise.resolve(credential),
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (
				type: string,
				options: IHttpRequestOptions,
				more: unknown,
			) => {
				requests.push(options);
				credentials.push({ type, more });
				async function* body() {
					yield await Promise.resolve(Buffer.from(String(response)));
				}
				return await Promise.resolve({ statusCode, headers: {}, body: body() });
			},
		},
	} as unknown as IExecuteFunctions;
	return { context, requests, credentials };
}

const BASE = { baseUrl: 'https://service.example.com' };
/** Makes no second try. */
const ONE_TRY = { maxRetries: 0, budgetMs: 0 };
const POST = { method: 'POST', path: '/api/x', body: { a: 1 } } as const;

describe('the settings of a credential', () => {
	const settingsOf = async (data: ICredentialDataDecryptedObject) =>
		(await connect(contextWith({ ...BASE, ...data }).context)).settings;
	const DEFAULTS = {
		baseUrl: 'https://service.example.com',
		clientId: '',
		clientIdPlace: 'query',
		pageIndexParameter: 'pageIndex',
		pageSizeParameter: 'pageSize',
		defaultCountry: '',
		webhookToken: undefined,
		timeZone: '',
	};
	const CONVENTIONS = {
		clientIdPlace: 'path',
		pageIndexParameter: ' page ',
		pageSizeParameter: 'size',
		serviceTimeZone: ' Europe/Rome ',
	};

	test('have a default for everything', async () => {
		expect(await settingsOf({})).toEqual(DEFAULTS);
		expect(await settingsOf({ serviceConventions: true })).toEqual(DEFAULTS);
	});

	test.each([
		['1001', '1001'],
		[' 1001 ', '1001'],
		[1001, '1001'],
		[{ id: 1 }, ''],
		[true, ''],
	])('have the client ID as a text: %j', async (clientId, expected) => {
		expect((await settingsOf({ clientId } as ICredentialDataDecryptedObject)).clientId).toBe(
			expected,
		);
	});

	test('have the conventions of the service, unless these are folded away', async () => {
		expect(await settingsOf({ ...CONVENTIONS, serviceConventions: true })).toEqual({
			...DEFAULTS,
			clientIdPlace: 'path',
			pageIndexParameter: 'page',
			pageSizeParameter: 'size',
			timeZone: 'Europe/Rome',
		});
		expect(await settingsOf({ ...CONVENTIONS, serviceConventions: false })).toEqual(DEFAULTS);
	});

	test.each([
		['body', 'body'],
		['path', 'path'],
		['query', 'query'],
		['elsewhere', 'query'],
	])('have the client ID in the %s: %s', async (clientIdPlace, expected) => {
		const settings = await settingsOf({ clientIdPlace, serviceConventions: true });
		expect(settings.clientIdPlace).toBe(expected);
	});

	test('have the token of webhook URLs where there is a secret', async () => {
		expect((await settingsOf({ webhookSecret: 'x' })).webhookToken).toMatch(/^[\da-f]{64}$/);
	});
});

describe('the base URL', () => {
	const problemOf = async (baseUrl: unknown) =>
		await connect(contextWith({ baseUrl } as ICredentialDataDecryptedObject).context).then(
			() => undefined,
			(error: unknown) => error,
		);

	test.each([
		...['http://localhost:8080', 'https://example.com/a/b', ' https://example.com// '],
		...['https://example.com/.a', 'https://example.com/a..b', 'https://example.com/...'],
	])('may be %j', async (baseUrl) => {
		expect(await problemOf(baseUrl)).toBeUndefined();
	});

	test.each([
		['', 'is empty'],
		[' / ', 'is empty'],
		[undefined, 'is empty'],
		[5, 'is empty'],
		['example', 'is not a valid address'],
		['https://exam ple.com', 'is not a valid address'],
		['https://example.com/a\tb', 'is not a valid address'],
		['https://example.com\\a', 'is not a valid address'],
		['https://example.com/../a', 'is not a valid address'],
		['https://example.com/a/.', 'is not a valid address'],
		['https://example.com/%2E%2e/a', 'is not a valid address'],
		['https://example.com/a\u007f', 'is not a valid address'],
		['ftp://example.com', 'must start with https:// or http://'],
		['https://user@example.com', 'contains a user name or password'],
		['https://:pass@example.com', 'contains a user name or password'],
		['https://example.com?a=b', 'must not contain ? or #'],
		['https://example.com#a', 'must not contain ? or #'],
	])('%j: %s', async (baseUrl, problem) => {
		expect(await problemOf(baseUrl)).toMatchObject({
			message: `The Base URL of the credential ${problem}`,
			description: expect.stringMatching(/^Set the Base URL in the credential/),
		});
	});
});

describe('a request', () => {
	const READ = { method: 'GET', path: '/api/x', query: { a: ['1', '2'] } } as const;

	test('goes to the service with the credential as it was read, and follows no redirect', async () => {
		const data = { ...BASE, ignoreSslIssues: true, timeout: 1.234 };
		const { context, requests, credentials } = contextWith(data);
		const client = await connect(context, {}, ONE_TRY);
		await client.anything(READ);
		expect(requests).toEqual([
			{
				method: 'GET',
				url: 'https://service.example.com/api/x',
				qs: { a: ['1', '2'] },
				arrayFormat: 'repeat',
				body: undefined,
				headers: { Accept: 'application/json' },
				timeout: 1234,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				skipSslCertificateValidation: true,
			},
		]);
		expect(credentials).toEqual([
			{
				type: 'messagingServiceApi',
				more: { credentialsDecrypted: { id: '', name: '', type: 'messagingServiceApi', data } },
			},
		]);
	});

	test('checks the certificate unless the credential says otherwise', async () => {
		const { context, requests } = contextWith(BASE);
		await (await connect(context)).anything(READ);
		expect(requests[0]?.skipSslCertificateValidation).toBe(false);
	});

	test.each([
		['__proto__', 'x', 'A query parameter cannot have the name "__proto__"'],
		['name', '\ud800', 'Query parameter "name" contains an invalid Unicode character'],
		['name', ['a', 'b\udc00'], 'Query parameter "name" contains an invalid Unicode character'],
	])('with the query %j=%j is refused', async (name, value, message) => {
		const { context, requests } = contextWith(BASE);
		const query = Object.fromEntries([
			['fine', 1],
			[name, value],
		]);
		await expect((await connect(context)).anything({ ...READ, query })).rejects.toMatchObject({
			message,
			description: expect.stringContaining('This request was not'),
		});
		expect(requests).toEqual([]);
	});

	const RESPONSES = [
		...['{"a":1}', '{"id":5}', '{"id":""}', '{"cli_Id":5}', '{}', '{"items":[]}', '{"items":{}}'],
		...['{"items":null}', '{"items":[null]}', '{"items":[{"a":1},5]}', '[]', '[{"a":1}]', '[null]'],
		...['[[]]', '"id"', '""', '" "', '5', 'null', 'true', '', ' ', '<p>'],
		...[
			'{"errors":{"a":["b"]}}',
			'{"Error":"b"}',
			'{"errors":[],"a":1}',
			'{"id":1,"errors":["b"]}',
		],
	];
	const records = ['{"a":1}', '{"id":5}', '{"id":""}', '{"cli_Id":5}'];
	const harmless = RESPONSES.filter((response) => /error/i.test(response));
	const withItems = RESPONSES.filter((response) => response.startsWith('{"items"'));
	const accepted: [keyof Omit<ReadClient, 'settings'>, string[], string][] = [
		['record', [...records, ...withItems, ...harmless], 'a record'],
		['page', ['{"items":[]}', '{"items":null}'], 'a page of records with "items"'],
		['records', ['[]', '[{"a":1}]'], 'an array of records'],
		['anything', RESPONSES, 'a response of the messaging service'],
	];
	test.each(accepted)('for %s takes the responses %j only', async (kind, good, what) => {
		for (const response of RESPONSES) {
			const { context } = contextWith(BASE, response);
			const result = (await connect(context))[kind](READ);
			if (good.includes(response)) await expect(result).resolves.not.toThrow();
			else {
				const error: unknown = await result.catch((reason: unknown) => reason);
				expect(failureOf(error)).toMatchObject({
					message: expect.stringMatching(
						new RegExp(`^The response of the service is not ${what}(: (a: )?b)?$`),
					),
					description: expect.stringContaining(`which is not ${what}`),
					sent: 'no',
				});
			}
		}
	});

	test.each<[string, unknown]>([
		['{"success":false,"message":"no"}', { success: false, message: 'no' }],
		['{"errors":{"a":["b"]}}', { errors: { a: ['b'] } }],
		['"Error: no credit"', 'Error: no credit'],
		['<p>Saved</p>', '<p>Saved</p>'],
		['{"half', '{"half'],
		['', undefined],
		['null', null],
	])('of a POST that succeeded is passed on as it is: %j', async (response, expected) => {
		const { context } = contextWith(BASE, response);
		expect(await (await connect(context)).post(POST)).toEqual(expected);
	});

	test('is not what the operation needs beyond its kind', async () => {
		const expected = { description: 'a lucky number', matches: (body: unknown) => body === 7 };
		const { context } = contextWith(BASE, '5');
		const sending = (await connect(context)).post({ ...POST, expected });
		await expect(sending).rejects.toThrow('The response of the service is not a lucky number');
		const lucky = await connect(contextWith(BASE, '7').context);
		expect(await lucky.post({ ...POST, expected })).toBe(7);
	});

	test('a page with null as its items is an empty one', async () => {
		const { context } = contextWith(BASE, '{"totalPages":0,"items":null}');
		expect(await (await connect(context)).page(READ)).toEqual({ totalPages: 0, items: [] });
	});

	test('a result stays as it is, also where it repeats a secret', async () => {
		const secretJson = JSON.stringify({ headers: { 'X-Key': '100200300400', 'X-B': 'Acme Ltd' } });
		const text = '{"id":1,"account":100200300400,"name":"Acme Ltd","key":"100200300400"}';
		const { context } = contextWith({ ...BASE, authentication: 'customJson', secretJson }, text);
		expect(await (await connect(context)).record(READ)).toEqual(JSON.parse(text));
	});

	test.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
	])('that gets status %d has succeeded: %p', async (status, hasSucceeded) => {
		const { context } = contextWith(BASE, '{"id":1}', status);
		const result = (await connect(context)).record(READ);
		if (hasSucceeded) expect(await result).toEqual({ id: 1 });
		else await expect(result).rejects.toMatchObject({ httpCode: String(status) });
	});
});

describe('a request that sends', () => {
	const sentAfter = async (status: number) => {
		const { context } = contextWith(BASE, '', status);
		return await (await connect(context, {}, ONE_TRY)).post(POST).then(
			() => 'yes',
			(reason: unknown) => failureOf(reason)?.sent,
		);
	};

	test.each([200, 201, 202, 204, 299])('has succeeded with status %d', async (status) => {
		expect(await sentAfter(status)).toBe('yes');
	});

	test.each([300, 301, 302, 303, 408, 500, 501, 502, 503, 504, 599])(
		'was possibly sent with status %d',
		async (status) => {
			expect(await sentAfter(status)).toBe('possibly');
		},
	);

	test.each([307, 308, 400, 401, 404, 409, 413, 422, 429])(
		'was not sent with status %d',
		async (status) => {
			expect(await sentAfter(status)).toBe('no');
		},
	);

	test('is not sent where it is refused when its turn comes', async () => {
		const refusal = { message: 'Too late', description: 'Not now.', sent: 'no' } as const;
		const { context, requests } = contextWith(BASE);
		const sending = (await connect(context)).post(POST, () => refusal);
		const error: unknown = await sending.catch((reason: unknown) => reason);
		expect(failureOf(error)).toEqual(refusal);
		expect(requests).toEqual([]);
	});

	test('that was cancelled before its turn was not sent', async () => {
		const controller = new AbortController();
		const { context, requests } = contextWith(BASE, '', 429);
		Object.assign(context, { getExecutionCancelSignal: () => controller.signal });
		const running = (await connect(context, {}, PATIENT)).post(POST);
		setTimeout(() => controller.abort(), 20);
		const error: unknown = await running.catch((reason: unknown) => reason);
		expect(failureOf(error)).toMatchObject({
			sent: 'no',
			message: expect.stringContaining('canceled'),
		});
		expect(requests.length).toBeGreaterThan(0);
	});
});

describe('the limits of a credential', () => {
	test.each([
		[{ requestsPerSecond: -1 }, 'Requests per Second'],
		[{ requestsPerSecond: 'fast' }, 'Requests per Second'],
		[{ concurrentRequests: 0 }, 'Max Concurrent Requests'],
		[{ concurrentRequests: 1.5 }, 'Max Concurrent Requests'],
		[{ timeout: 0 }, 'Timeout (Seconds)'],
		[{ timeout: 1e9 }, 'Timeout (Seconds)'],
		[{ timeout: '' }, 'Timeout (Seconds)'],
	])('%j is refused before anything is sent', async (limits, field) => {
		const error: unknown = await connect(contextWith({ ...BASE, ...limits }).context).catch(
			(reason: unknown) => reason,
		);
		expect(failureOf(error)).toMatchObject({
			message: `${field} of the credential is invalid`,
			description: expect.stringContaining('under Limits in the credential'),
			sent: 'no',
		});
	});

	test('may be texts, as expressions give them', async () => {
		const { context, requests } = contextWith({ ...BASE, concurrentRequests: '3', timeout: '2' });
		const client = await connect(context, {}, ONE_TRY);
		await client.anything({ method: 'GET', path: '/api/x' });
		expect(client.concurrency).toBe(3);
		expect(requests[0]?.timeout).toBe(2000);
	});
});

describe('a path with two forms', () => {
	/** Finds only what has this form. */
	function serviceWith(form: RegExp) {
		const { context, requests } = contextWith(BASE, '{"id":1}');
		const { httpRequestWithAuthentication: found } = context.helpers;
		Object.assign(context.helpers, {
			httpRequestWithAuthentication: async (
				...[type, options, more]: Parameters<typeof found>
			): Promise<unknown> => {
				const response = (await found.call(context, type, options, more)) as object;
				return { ...response, statusCode: form.test(options.url) ? 200 : 404 };
			},
		});
		return { context, urls: () => requests.map(({ url }) => url.replace(BASE.baseUrl, '')) };
	}
	const either = { method: 'GET', path: '/api/x', otherPath: '//api/x' } as const;

	test('is read in the form that the service has, and at first in that one from then on', async () => {
		const { context, urls } = serviceWith(/com\/\/api/);
		const client = await connect(context);
		expect(await client.record(either)).toEqual({ id: 1 });
		expect(await client.record(either)).toEqual({ id: 1 });
		expect(urls()).toEqual(['/api/x', '//api/x', '//api/x']);
	});

	test('is not found where the service has neither', async () => {
		const { context, urls } = serviceWith(/nothing/);
		const error: unknown = await (await connect(context)).record(either).catch((e: unknown) => e);
		expect(failureOf(error)).toMatchObject({
			httpCode: '404',
			description: expect.stringContaining('GET /api/x '),
		});
		expect(urls()).toEqual(['/api/x', '//api/x']);
	});
});

test('what somebody waits for ends after 15 seconds in total', async () => {
	const { context, requests } = contextWith(BASE, '"id"');
	await (await connect(context)).anything({ method: 'GET', path: '/api/x' });
	expect(requests[0]?.timeout).toBeLessThanOrEqual(15_000);
	expect(requests[0]?.timeout).toBeGreaterThan(14_000);
});
