import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { connect, type ServiceClient } from '../../nodes/MessagingService/transport/request';

const NODE = { id: '1', name: 'Messaging Service', type: 'x', typeVersion: 1 };

/** What of n8n a connection uses; the service gives one answer to everything. */
function contextWith(
	credential: ICredentialDataDecryptedObject,
	answer: unknown = 'null',
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
					yield await Promise.resolve(Buffer.from(String(answer)));
				}
				return await Promise.resolve({ statusCode, headers: {}, body: body() });
			},
		},
	} as unknown as IExecuteFunctions;
	return { context, requests, credentials };
}

const BASE = { baseUrl: 'https://service.example.com' };

describe('the settings of a credential', () => {
	const settingsOf = async (data: ICredentialDataDecryptedObject) =>
		(await connect(contextWith({ ...BASE, ...data }).context)).settings;
	const DEFAULTS = {
		clientId: '',
		clientIdPlace: 'query',
		pageIndexParameter: 'pageIndex',
		pageSizeParameter: 'pageSize',
		firstPageIndex: 1,
		webhookToken: undefined,
		timeZone: '',
	};
	const CONVENTIONS = {
		clientIdPlace: 'path',
		pageIndexParameter: ' page ',
		pageSizeParameter: 'size',
		firstPageIndex: 0,
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
			firstPageIndex: 0,
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
		['https://user@example.com', 'contains a user name or password: use Basic Auth instead'],
		['https://:pass@example.com', 'contains a user name or password: use Basic Auth instead'],
		['https://example.com?a=b', 'must not contain ? or #'],
		['https://example.com#a', 'must not contain ? or #'],
	])('%j: %s', async (baseUrl, problem) => {
		expect(await problemOf(baseUrl)).toMatchObject({
			message: `The Base URL of the credential ${problem}`,
			description: expect.stringContaining('Set the Base URL in the credential'),
		});
	});
});

describe('a request', () => {
	const READ = { method: 'GET', path: '/api/x', query: { a: ['1', '2'] } } as const;

	test('goes to the service with the credential as it was read, and follows no redirect', async () => {
		const data = { ...BASE, ignoreSslIssues: true };
		const { context, requests, credentials } = contextWith(data);
		const client = await connect(
			context,
			{},
			{
				maxRetries: 0,
				budgetMs: 0,
				requestsAtOnce: 1,
				requestsPerSecond: 0,
				timeoutMs: 1234,
			},
		);
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
		['name', '\ud800', 'The query parameter "name" contains half a character'],
		['name', ['a', 'b\udc00'], 'The query parameter "name" contains half a character'],
	])('with the query %j=%j is refused', async (name, value, message) => {
		const { context, requests } = contextWith(BASE);
		const query = Object.fromEntries([
			['fine', 1],
			[name, value],
		]);
		await expect((await connect(context)).anything({ ...READ, query })).rejects.toMatchObject({
			message,
			description: 'Nothing was sent. Correct it.',
		});
		expect(requests).toEqual([]);
	});

	const ANSWERS = [
		'{"a":1}',
		'{"items":[]}',
		'{"items":{}}',
		'[]',
		'"id"',
		'""',
		'5',
		'null',
		'true',
		'',
		' ',
		'<p>',
	];
	const accepted: [keyof Omit<ServiceClient, 'settings'>, string[], string][] = [
		['record', ['{"a":1}', '{"items":[]}', '{"items":{}}'], 'a JSON object'],
		['page', ['{"items":[]}'], 'a page of records with "items"'],
		['records', ['[]'], 'a JSON array'],
		['identifier', ['"id"', '5'], 'an identifier as a JSON string'],
		['anything', ANSWERS.filter((answer) => answer !== '<p>'), 'JSON'],
	];
	test.each(accepted)('for %s takes the answers %j only', async (kind, good, expected) => {
		for (const answer of ANSWERS) {
			const { context } = contextWith(BASE, answer);
			const result = (await connect(context))[kind](READ);
			if (good.includes(answer)) await expect(result).resolves.not.toThrow();
			else {
				await expect(result).rejects.toThrow(
					`The answer of the service could not be understood: expected ${expected}`,
				);
			}
		}
	});

	test.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
	])('that is answered with status %d has succeeded: %p', async (status, hasSucceeded) => {
		const { context } = contextWith(BASE, '{}', status);
		const result = (await connect(context)).record(READ);
		if (hasSucceeded) expect(await result).toEqual({});
		else await expect(result).rejects.toMatchObject({ httpCode: String(status) });
	});
});
