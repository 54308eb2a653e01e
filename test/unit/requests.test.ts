import { Failure } from '../../nodes/MessagingService/failure';
import { clientFor, connect, PATIENT } from '../../nodes/MessagingService/transport/connection';
import { firstStoragePage } from '../../nodes/MessagingService/transport/listRequests';
import type { HttpResponse, Port } from '../../nodes/MessagingService/transport/port';
import { portOf } from '../../nodes/MessagingService/transport/port';
import type { ReadRequest } from '../../nodes/MessagingService/transport/request';
import { readSettings } from '../../nodes/MessagingService/transport/settings';

/** What goes out, and what a response comes to. */

type Sent = Parameters<Port['http']>[0];

const PATH = '/api/SMSMessages';
const READ = { method: 'GET', path: PATH } as const;
const SEND = { method: 'POST', path: PATH, reaches: { kind: 'unknown' } } as const;

/** A service of its own for each test. */
let services = 0;

function serviceOf(
	respond: (request: Sent) => Partial<Omit<HttpResponse, 'body'>> & { text?: string },
) {
	const sent: (Sent & { at: number })[] = [];
	const http: Port['http'] = async (request) => {
		sent.push({ ...request, at: Date.now() });
		const { statusCode = 200, headers = {}, text = '' } = respond(request);
		const body = (async function* () {
			yield await Promise.resolve(Buffer.from(text));
		})();
		return { statusCode, headers, body };
	};
	const baseUrl = `https://service-${services++}.example.com`;
	const clientOf = (credential: object = {}, patience = PATIENT) =>
		clientFor({ http }, { baseUrl, ...credential }, {}, patience);
	return { sent, baseUrl, clientOf };
}

const ONCE = { ...PATIENT, maxTries: 1 };

test('n8n gets the whole request, with its time and what it must not do with the response', async () => {
	const { sent, baseUrl, clientOf } = serviceOf(() => ({ text: 'OK' }));
	const client = clientOf({ authentication: 'header', headerName: 'X-Key', headerSecret: 'key' });
	await client.post({ ...SEND, query: { a: [1, 2] }, body: { message: 'Zoë' } });
	await client.observe(READ);
	const of = (request: object, headers: object) => ({
		...{ at: expect.any(Number) as number, arrayFormat: 'repeat', qs: undefined, body: undefined },
		...{ timeout: 300_000, encoding: 'stream', returnFullResponse: true },
		...{ ignoreHttpStatusErrors: true, disableFollowRedirect: true },
		...{ skipSslCertificateValidation: false, url: `${baseUrl}${PATH}`, ...request },
		headers: { Accept: 'application/json', ...headers, 'X-Key': 'key' },
	});
	expect(sent).toEqual([
		of(
			{ method: 'POST', qs: { a: [1, 2] }, body: Buffer.from('{"message":"Zoë"}') },
			{ 'Content-Type': 'application/json' },
		),
		of({ method: 'GET' }, {}),
	]);
	expect(Object.keys(sent[1]?.headers ?? {})).not.toContain('Content-Type');
});

test.each([
	[199, false],
	[200, true],
	[202, true],
	[299, true],
	[300, false],
	[307, false],
	[400, false],
])('status %i is a success: %p', async (statusCode, isSuccess) => {
	const { clientOf } = serviceOf(() => ({ statusCode, text: 'OK' }));
	const outcome = await clientOf({}, ONCE)
		.post(SEND)
		.catch((failure: Failure) => failure.facts.httpCode);
	expect(outcome).toBe(isSuccess ? 'OK' : String(statusCode));
});

test.each([
	['Fri, 17 May 2030 09:00:00 GMT', Date.parse('2030-05-17T09:00:00Z')],
	['soon', undefined],
	[undefined, undefined],
])('a response with the date %j was made at %p', async (date, time) => {
	const { clientOf } = serviceOf(() => ({ headers: { date }, text: '[1]' }));
	expect(await clientOf().observe(READ)).toEqual({ content: [1], date: time });
});

test('what is refused at its turn is not sent', async () => {
	const { sent, clientOf } = serviceOf(() => ({ text: 'OK' }));
	const refusal = new Failure('Outside of the sending hours', 'Wait.');
	const check = { prepare: async () => await Promise.resolve(), refusal: () => refusal };
	await expect(clientOf().post(SEND, check)).rejects.toThrow('Outside of the sending hours');
	expect(sent).toEqual([]);
});

describe('a path that has another form', () => {
	const BOTH: ReadRequest = { ...READ, otherPath: '/other' };

	test.each([
		[PATH, [PATH, PATH]],
		['/other', [PATH, '/other', '/other']],
	])('is read as %s where that is found, and first from then on', async (path, paths) => {
		const { sent, baseUrl, clientOf } = serviceOf(({ url }) =>
			url.endsWith(path) ? { text: '[]' } : { statusCode: 404 },
		);
		const client = clientOf();
		expect([await client.records(BOTH), await client.records(BOTH)]).toEqual([[], []]);
		expect(sent.map(({ url }) => url.replace(baseUrl, ''))).toEqual(paths);
	});

	test('is named in its first form where none is found', async () => {
		const { clientOf } = serviceOf(() => ({ statusCode: 404 }));
		await expect(clientOf().records(BOTH)).rejects.toMatchObject({
			description: expect.stringContaining(`to GET ${PATH} with`) as string,
		});
	});

	test('is asked for once where it has no other form', async () => {
		const { sent, clientOf } = serviceOf(() => ({ statusCode: 404 }));
		await expect(clientOf().records(READ)).rejects.toThrow('found nothing');
		expect(sent).toHaveLength(1);
	});

	test('is not read in the other one where the service says something else', async () => {
		const { sent, clientOf } = serviceOf(() => ({ statusCode: 403 }));
		await expect(clientOf().records(BOTH)).rejects.toThrow('does not allow');
		expect(sent).toHaveLength(1);
	});
});

test('between tries, n8n waits at random for up to half a second, a second, two seconds', async () => {
	jest.useFakeTimers({ now: 1_000_000 });
	for (const [share, waits] of [
		[1, [500, 1000, 2000]],
		[0.5, [250, 500, 1000]],
	] as const) {
		const random = jest.spyOn(Math, 'random').mockReturnValue(share);
		const { sent, clientOf } = serviceOf(() => ({ statusCode: 500 }));
		const failed = expect(clientOf().records(READ)).rejects.toThrow('failed to process');
		await jest.advanceTimersByTimeAsync(60_000);
		await failed;
		expect(sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))).toEqual(waits);
		random.mockRestore();
	}
	jest.useRealTimers();
});

test('a request ends with its execution, where n8n tells when that is canceled', () => {
	const { signal } = new AbortController();
	const helpers = {};
	const portFor = (context: object) => portOf({ helpers, ...context } as never);
	expect(portFor({ getExecutionCancelSignal: () => signal }).signal).toBe(signal);
	expect(portFor({}).signal).toBeUndefined();
});

test('the settings of the credential are read, the conventions of the service while they are on', () => {
	const given = {
		...{
			baseUrl: 'service.example.com/',
			clientId: ' 1001 ',
			currency: ' EUR ',
			pricePerPart: '0.05',
		},
		...{ defaultCountry: 'GB', clientIdPlace: 'path', pageIndexParameter: ' page ' },
		...{ pageSizeParameter: '__proto__', serviceTimeZone: ' Asia/Kathmandu ' },
	};
	const off = {
		...{ baseUrl: 'https://service.example.com', clientId: '1001', clientIdPlace: 'query' },
		...{ pageIndexParameter: 'pageIndex', pageSizeParameter: 'pageSize', timeZone: '' },
		...{ defaultCountry: 'GB', currency: 'EUR', pricePerPart: 0.05, webhookToken: undefined },
	};
	expect(readSettings(given)).toEqual(off);
	expect(readSettings({ ...given, serviceConventions: true })).toEqual({
		...off,
		...{ clientIdPlace: 'path', pageIndexParameter: 'page', timeZone: 'Asia/Kathmandu' },
	});
	expect(readSettings({ currency: ' ', pricePerPart: 0 })).toMatchObject({
		...{ currency: undefined, pricePerPart: undefined, baseUrl: '' },
	});
});

describe('a login without a token says what to do', () => {
	const NOT_SENT = 'This request was not sent.';
	const FIELDS =
		'A token is text without spaces and special characters. Check Log In With in the credential: with JSON, enter the field that holds the token as Token Field. If none does, ask the service operator.';
	const LOGIN = { authentication: 'accessToken', loginWith: 'json', loginJson: '{}' };
	const outcomeOf = async (statusCode: number, text: string, credential: object = {}) => {
		const { clientOf } = serviceOf(({ url }) =>
			url.endsWith('/token') || url.includes('/long') ? { statusCode, text } : {},
		);
		const failure = await clientOf({ ...LOGIN, tokenUrl: '/token', ...credential }, ONCE)
			.post(SEND)
			.then(
				() => undefined,
				(thrown: unknown) => Failure.of(thrown),
			);
		expect(failure?.sent).toBe('no');
		return [failure?.message.replace(/at service-\d+/, 'at service'), failure?.description];
	};
	const path = `/long${'x'.repeat(100)}`;
	const lineOfLong = `POST /long${'x'.repeat(92)}...`;

	test.each<[number, string, object, string, string]>([
		[
			...([300, '', {}, 'The service refused the login'] as const),
			`The service responded to POST /token with status 300. Check Token URL, Log In With and its fields in the credential. ${NOT_SENT}`,
		],
		[
			...([401, '{"error":"Is unknown."}', {}, 'The service refused the login'] as const),
			`The service responded to POST /token with status 401: Is unknown. Check Token URL, Log In With and its fields in the credential. ${NOT_SENT}`,
		],
		[
			...([503, '', {}, 'Could not log in at service.example.com'] as const),
			`The service responded to POST /token with status 503. Try again later. ${NOT_SENT}`,
		],
		[
			...([200, '<html>', {}, 'The response to the login is a web page without a token'] as const),
			`The service responded to POST /token with an HTML page. Check the Token URL in the credential. ${NOT_SENT}`,
		],
		[
			...([
				200,
				'{"a":1}',
				{},
				'The response to the login has no token in "access_token"',
			] as const),
			`The service responded to POST /token. It has the fields a. ${FIELDS} ${NOT_SENT}`,
		],
		[
			...([200, '', { tokenField: '' }, 'The response to the login has no token in it'] as const),
			`The service responded to POST /token. It has no fields. ${FIELDS} ${NOT_SENT}`,
		],
		[
			...([200, '{}', { tokenField: 'x'.repeat(31), tokenUrl: path }] as const),
			`The response to the login has no token in "${'x'.repeat(27)}..."`,
			`The service responded to ${lineOfLong}. It has no fields. ${FIELDS} ${NOT_SENT}`,
		],
	])('of the response %i %j to %j', async (status, text, credential, message, description) => {
		expect(await outcomeOf(status, text, credential)).toEqual([message, description]);
	});

	test('where it gets no response', async () => {
		const http = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
		const host = `${'x'.repeat(40)}.example.com`;
		const credential = { ...LOGIN, baseUrl: `https://${host}`, tokenUrl: '/token' };
		await expect(clientFor({ http }, credential, {}, ONCE).post(SEND)).rejects.toMatchObject({
			message: `Could not log in at ${'x'.repeat(35)}...`,
			description: `Could not connect to ${'x'.repeat(35)}.... Check the Token URL in the credential and whether the service is running. Where n8n has a proxy, check HTTPS_PROXY as well. ${NOT_SENT} (POST /token, ECONNREFUSED)`,
		});
	});

	test.each([
		[401, true],
		[403, false],
	])('status %i after two logins is explained by them: %p', async (statusCode, isExplained) => {
		let logins = 0;
		const { clientOf } = serviceOf(({ url }) =>
			url.endsWith('/token') ? { text: `{"access_token":"token-${logins++}"}` } : { statusCode },
		);
		const client = clientOf({ ...LOGIN, tokenUrl: '/token' }, ONCE);
		const failure = await client.post(SEND).catch((thrown: unknown) => Failure.of(thrown));
		expect((failure as Failure).description.includes('n8n had logged in again')).toBe(isExplained);
		expect(logins).toBe(2);
	});
});

test.each<[string, string[], number]>([
	['0 where page 0 has records of its own', ['a', 'b'], 0],
	['0 where it is the only page', ['a', ''], 0],
	['1 where page 0 is page 1', ['a', 'a', 'b'], 1],
	['1 where page 0 is empty', ['', 'a'], 1],
	['1 where the service refuses page 0', ['refused', 'a'], 1],
])('the first page of the stored numbers is %s', async (_, pages, first) => {
	const { clientOf } = serviceOf(({ url }) => {
		const page = pages[Number(url.split('/').at(-1))] ?? '';
		if (page === 'refused') return { statusCode: 400 };
		return { text: JSON.stringify({ items: page === '' ? [] : [{ storageID: page }] }) };
	});
	expect(await firstStoragePage(clientOf({}, ONCE), 10)).toBe(first);
});

test('what the credential cannot be read for is said, an expression over items in words of its own', async () => {
	const connectWith = async (thrown: unknown) =>
		await connect({ getCredentials: () => Promise.reject(thrown as Error) } as never).then(
			() => undefined,
			(error: unknown) => error,
		);
	const ofItem = Object.assign(new Error('no item'), { name: 'ExpressionError' });
	expect(await connectWith(ofItem)).toMatchObject({
		message: 'This credential needs an input item, and there is none here',
	});
	for (const other of [new Error('is missing'), { name: 'ExpressionError' }]) {
		expect(await connectWith(other)).toBe(other);
	}
});
