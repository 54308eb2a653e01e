import type { IDataObject } from 'n8n-workflow';
import type { CredentialValues } from '../support/engine';
import { runAction } from '../support/engine';
import type { FieldCase } from '../support/everyOperation';
import {
	casesOf,
	credentialFor,
	pairs,
	requestCountOf,
	sampleOf,
	validParameters,
	withValue,
} from '../support/everyOperation';
import type { RawRequest, RawServer } from '../support/rawServer';
import { answeringJson, startRawServer } from '../support/rawServer';
import { someOf } from '../support/runs';

/** Texts that mean something else in a path, a query, a header, JSON, or to JavaScript. */
const PAYLOADS = [
	...['..', '../', '../../admin', '%2e%2e%2f%2e%2e%2fadmin', '..%2fadmin', '..\\..\\admin', '%2e'],
	...['x?admin=1', 'x#admin', 'x&admin=1', 'x;admin=1', 'x=1', '%', '%zz', '%00', 'x\0y', '\0'],
	...['http://evil.example/x', '//evil.example/x', '\\\\evil.example', '@evil.example', ':9@x'],
	...['x\r\nX-Injected: 1', 'x\nX-Injected: 1', 'x\rX-Injected: 1', '%0d%0aX-Injected:%201'],
	'x HTTP/1.1\r\nHost: evil.example\r\n\r\nGET /admin HTTP/1.1\r\nHost: evil.example\r\n\r\n',
	// Characters that some normalize to a slash, a dot, a question mark or a line break.
	...[
		'x\uff0fadmin',
		'\uff0e\uff0e\u2215admin',
		'\u2024\u2024/',
		'x\uff1fadmin',
		'x\u560d\u560aX:1',
	],
	...['\ud800', 'x\udc00', 'x\ud800&admin=1', '\u2028', '\ufeffx', '\u202e'],
	...['__proto__', 'constructor', 'prototype', 'toString', '__proto__.admin', 'constructor.name'],
	...['"}],"admin":[{"x":"', '{{ 7 * 7 }}', '<script>', "';--"],
];

/** IDs with the characters that end a segment of a path, or begin an encoded one. */
const IDS = ['a/b', 'a?b', 'a#b', 'a%2Fb', 'a&b=c;d:e@f+g,h$i'];

const ITEM = {
	...{ phoneNumber: '+447700900123', name: 'Ada', message: 'Hi', sender: 'Shop' },
	...{ storageID: 's-1', number: '+447700900123' },
};

/** Whether the text itself is sent, instead of naming a field of the input or an option. */
const isSent = ({ path, field }: FieldCase) =>
	['string', 'resourceLocator'].includes(field.type) &&
	field.requiresDataPath === undefined &&
	// Numbers not to contact are compared with the recipients, not sent.
	!path.startsWith('options.doNotContact') &&
	// Keys are compared with those of the calls.
	path !== 'options.userInputs';

/** The payload as it gets into a field of this type. */
function valuesFor({ path, field }: FieldCase, payload: string): unknown[] {
	if (field.type === 'resourceLocator') {
		return ['id', 'list'].map((mode) => ({ __rl: true, mode, value: payload }));
	}
	if (field.type !== 'json') return [payload];
	const numberName = path === 'contactsJson' ? 'phoneNumber' : 'number';
	const number = '+447700900123';
	return [
		JSON.stringify([{ [numberName]: number, name: payload }]),
		JSON.stringify([{ [numberName]: number, name: 'Ada', [payload]: 'x' }]),
		payload,
	];
}

let server: RawServer;

/** A campaign must be one for Get Summary, which sends its filters in the request after it. */
const isCampaign = ({ method, target }: RawRequest) =>
	method === 'GET' && /^\/base\/api\/(Campaigns|campaigns\/voice)\/[^/?]+$/.test(target);

beforeAll(async () => {
	server = await startRawServer((socket, request) => {
		answeringJson(isCampaign(request) ? { status: 1 } : 'an-id')(socket);
	});
});
afterAll(async () => {
	await server.close();
});

const credential = (changes: CredentialValues = {}): CredentialValues => ({
	baseUrl: `${server.url}/base`,
	clientId: '1001',
	authentication: 'header',
	headerName: 'X-Api-Key',
	headerSecret: 'key-4711-key-4711',
	...changes,
});

/** What a run sent, and its error. */
async function send(parameters: IDataObject, changes?: CredentialValues) {
	server.received.length = 0;
	const { error } = await runAction({
		credential: credential({ ...credentialFor(parameters), ...changes }),
		parameters: { ...parameters },
		items: [ITEM],
	});
	return { sent: [...server.received], error };
}

/** The parts of a request that no text of a user may change, with `*` for those it may. */
function shapeOf({ method, target, headers, body, rest }: RawRequest) {
	const [path = '', query, ...more] = target.split('?');
	const fixed = headers.filter(([name]) => name !== 'content-length');
	return {
		method,
		segments: path.split('/').length,
		beginning: path
			.split('/')
			.slice(0, 3)
			.join('/')
			.replace(/:.*|(?<=SMSMessages).*/, ''),
		parameters: query?.split('&').length ?? 0,
		more,
		headers: fixed,
		fields: body === '' ? null : Object.keys(JSON.parse(body) as object).sort(),
		rest,
	};
}

/** Every text in a request, decoded as the service does. */
function textsOf({ target, body }: RawRequest): string[] {
	const [path = '', query = ''] = target.split('?');
	const texts = path.split('/').map(decodeURIComponent);
	for (const [name, value] of new URLSearchParams(query)) texts.push(name, value);
	const collect = (value: unknown) => {
		if (typeof value === 'string') texts.push(value);
		else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
	};
	if (body !== '') collect(JSON.parse(body));
	return texts;
}

/** Whether a text arrived as it is, but perhaps for white space around it. */
function hasArrived(payload: string, request: RawRequest): boolean {
	return textsOf(request).some((text) => text.endsWith(payload) || text.endsWith(payload.trim()));
}

/** Runs of all tests that sent an attack as a text, and that refused it. */
const counts = { sent: 0, refused: 0 };

/** Every request is the usual one but for the value of the field, which arrived as it was written. */
function expectSameShape(sent: RawRequest[], usualOnes: RawRequest[], what: object) {
	expect({ ...what, shapes: sent.map(shapeOf) }).toEqual({
		...what,
		shapes: usualOnes.map(shapeOf),
	});
	for (const { target } of sent) {
		// What decodes is what was encoded: nothing resolves, nothing is left open.
		expect(target).toMatch(/^\/base\/api\/[\x21-\x7e]+$/);
		expect(new URL(target, server.url).pathname).toBe(target.split('?')[0]);
	}
}

describe.each(pairs.map((pair) => [`${pair.resource} ${pair.operation}`, pair] as const))(
	'%s',
	(_, pair) => {
		const base = validParameters(pair);

		it('without an attack sends something', async () => {
			expect((await send(base)).sent).toHaveLength(requestCountOf(pair));
		});

		const cases = casesOf(pair);
		if (cases.length === 0) return;
		it.each(cases.map((field, index) => [field.path, field, index] as const))(
			'field %s: every text arrives as a text, or is refused with nothing sent',
			async (path, test, index) => {
				const { field } = test;
				const plain = field.type === 'json' ? valuesFor(test, 'plain')[0] : sampleOf(field);
				const usualRun = await send(withValue(test, plain));
				// An ID becomes a part of the path: of these, more.
				const isId = field.type === 'resourceLocator' || field.name === 'storageID';
				const payloads = someOf(PAYLOADS, index, isId ? 5 : 20);
				for (const payload of isId ? [...IDS, ...payloads] : payloads) {
					for (const value of valuesFor(test, payload)) {
						const { sent, error } = await send(withValue(test, value));
						if (sent.length < requestCountOf(pair) && error !== undefined) {
							expect(sent.filter((request) => hasArrived(payload, request))).toEqual([]);
							counts.refused += 1;
							expect(error.message).toMatch(/\w{3}/);
							expect(error.message).not.toMatch(/is not a function|cannot read|URI malformed/i);
							continue;
						}
						const usualOnes = usualRun.sent.length > 0 ? usualRun.sent : (await send(base)).sent;
						expectSameShape(sent, usualOnes, { path, payload });
						if (!isSent(test)) continue;
						counts.sent += 1;
						const arrived = sent.some((request) => hasArrived(payload, request));
						expect({ path, payload, arrived }).toEqual({ path, payload, arrived: true });
					}
				}
			},
		);
	},
);

it('attacks were sent as texts often, and refused often', () => {
	expect(counts.sent).toBeGreaterThan(150);
	expect(counts.refused).toBeGreaterThan(50);
});

it.each(PAYLOADS)('resource and operation %j: there is no such operation', async (payload) => {
	for (const choice of [
		{ resource: payload, operation: 'get' },
		{ resource: 'smsMessage', operation: payload },
	]) {
		const { sent, error } = await send(choice);
		expect(sent).toEqual([]);
		expect(error?.message).toMatch(/^(Operation "|Could not get parameter)/);
	}
});

describe('the credential', () => {
	const set = { resource: 'webhook', operation: 'set', webHookUrl: 'https://n8n.example.com/x' };
	const list = { resource: 'smsCampaign', operation: 'getAll', limit: 5 };
	const conventions = { serviceConventions: true };

	it.each<[string, IDataObject, CredentialValues]>([
		['clientId', set, {}],
		['clientId', set, { ...conventions, clientIdPlace: 'path' }],
		['clientId', set, { ...conventions, clientIdPlace: 'body' }],
		['clientIdPlace', set, conventions],
		['pageSizeParameter', list, conventions],
		['pageIndexParameter', list, conventions],
		['serviceTimeZone', list, conventions],
		['authentication', list, {}],
	])(
		'field %s: every text stays in its place, or is refused',
		async (field, parameters, values) => {
			const isMenu = ['authentication', 'clientIdPlace'].includes(field);
			const usualRun = await send(parameters, {
				...values,
				[field]: field === 'authentication' ? 'none' : isMenu ? '' : 'plain',
			});
			expect(usualRun.sent).toHaveLength(1);
			for (const payload of [...IDS, ...someOf(PAYLOADS, field.length)]) {
				const { sent, error } = await send(parameters, { ...values, [field]: payload });
				if (sent.length === 0) expect(error?.message).toMatch(/\w{3}/);
				else expectSameShape(sent, usualRun.sent, { field, payload });
			}
		},
	);

	it.each<[string, CredentialValues]>([
		['headerName', { headerSecret: 'secret-4711' }],
		['headerSecret', { headerName: 'X-Api-Key' }],
		['token', { authentication: 'bearer' }],
		['username', { authentication: 'basicAuth', password: 'secret-4711' }],
		['password', { authentication: 'basicAuth', username: 'ann' }],
		['queryName', { authentication: 'query', querySecret: 'secret-4711' }],
		['querySecret', { authentication: 'query', queryName: 'key' }],
	])('field %s: no other header, no other request', async (field, values) => {
		const usualRun = await send(list, { ...values, [field]: 'plain' });
		expect(usualRun.sent).toHaveLength(1);
		const outline = ({ target, headers, rest, body, method }: RawRequest) => ({
			method,
			path: target.split('?')[0],
			parameters: target.split('&').length,
			headers: headers.length,
			host: headers.filter(([name]) => name === 'host'),
			rest,
			body,
		});
		for (const payload of someOf(PAYLOADS, field.length)) {
			const { sent, error } = await send(list, { ...values, [field]: payload });
			if (sent.length === 0) expect(error?.message).toMatch(/credential/);
			else {
				expect({ payload, sent: sent.map(outline) }).toEqual({
					payload,
					sent: usualRun.sent.map(outline),
				});
			}
		}
	});

	it.each([
		...['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Expect', 'Upgrade', 'TE'],
		...['content-length', '__proto__', 'constructor'],
	])('the header name %s is refused', async (headerName) => {
		const custom = JSON.stringify({ headers: { [headerName]: '5' } });
		const attempts: CredentialValues[] = [
			{ headerName, headerSecret: '5' },
			{ authentication: 'customJson', secretJson: custom.replace('{}', '{"__proto__":"5"}') },
		];
		for (const values of attempts) {
			const { sent, error } = await send(list, values);
			expect(error?.message).toMatch(/^The header ".*" of the credential is not allowed$/);
			expect(sent).toEqual([]);
		}
	});

	it.each(['__proto__', 'constructor', 'prototype', ''])(
		'the query parameter name %j is refused',
		async (queryName) => {
			const attempts: CredentialValues[] = [
				{ authentication: 'query', queryName, querySecret: 'secret-4711' },
				{ authentication: 'customJson', secretJson: `{"qs":{"${queryName}":"secret-4711"}}` },
			];
			for (const values of attempts) {
				const { sent, error } = await send(list, values);
				expect(error?.message).toMatch(/query parameter in the credential is invalid/);
				expect(sent).toEqual([]);
			}
		},
	);
});

describe('the base URL', () => {
	const list = { resource: 'smsCampaign', operation: 'getAll' };

	it.each<[string, (host: string) => string]>([
		['a user name and a password', (host) => `http://ann:secret-4711@${host}`],
		['a query', (host) => `http://${host}/?tenant=1`],
		['a fragment', (host) => `http://${host}/#x`],
		['ftp:', (host) => `ftp://${host}/`],
		['javascript:', () => 'javascript:alert(1)'],
		['no scheme', (host) => `//${host}`],
		['a line break inside', (host) => `http://${host}/a\r\nX-Injected: 1`],
		['a space inside', (host) => `http://${host}/a b`],
		['a backslash', (host) => `http://${host}\\a`],
		['encoded dots', (host) => `http://${host}/a/%2e%2e/b`],
		['a null byte', (host) => `http://${host}/\0`],
	])('with %s is refused, and nothing is sent', async (_what, url) => {
		const { sent, error } = await send(list, { baseUrl: url(server.host) });
		expect(sent).toEqual([]);
		expect(error?.message).toMatch(/^The Base URL of the credential/);
		expect(error?.description).toMatch(/^Set the Base URL in the credential to the address of the/);
		const isWithPassword = /user name or password$/.test(error?.message ?? '');
		expect(error?.description?.includes('Use Basic Auth instead.')).toBe(isWithPassword);
		expect(`${error?.message ?? ''} ${error?.description ?? ''}`).not.toContain('secret-4711');
	});

	it('names no socket file of the machine', async () => {
		const { error } = await send(list, { baseUrl: 'http://unix:/var/run/docker.sock' });
		expect(error?.message).toBe('The host unix was not found');
	});

	it('may be an IPv6 address', async () => {
		const { error } = await send(list, { baseUrl: 'http://[::1]:1' });
		expect(error?.message).toMatch(/^Could not connect to \[::1\]:1/);
	});
});
