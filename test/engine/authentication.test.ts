import { mapValues } from 'lodash';
import type { CredentialValues } from '../support/engine';
import { actionSuite, sendMessage } from '../support/actionSuite';
import { expectNoSecret } from '../support/secrets';

const { credential, run, sandbox } = actionSuite();

/** A kind of authentication: the service's setting, a credential that fits it, and changes that do not. */
interface Kind {
	name: string;
	service: Record<string, unknown>;
	right: CredentialValues;
	wrong: Partial<Record<string, string | undefined>>[];
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

const json = (value: object) => ({ secretJson: JSON.stringify(value) });

const KINDS: Kind[] = [
	{
		name: 'Basic Auth',
		service: { headers: { Authorization: `Basic ${base64('ann:pass:wörd é')}` } },
		right: { authentication: 'basicAuth', username: 'ann', password: 'pass:wörd é' },
		wrong: [{ password: 'another password' }, { username: 'bob' }, { password: undefined }],
	},
	{
		name: 'Basic Auth (a key as the username)',
		service: { headers: { Authorization: `Basic ${base64('key-4711:')}` } },
		right: { authentication: 'basicAuth', username: 'key-4711', password: '' },
		wrong: [{ username: 'key-4712' }],
	},
	{
		name: 'Basic Auth (a key as the password)',
		service: { headers: { Authorization: `Basic ${base64(':key-4711')}` } },
		right: { authentication: 'basicAuth', username: '', password: 'key-4711' },
		wrong: [{ password: 'key-4712' }],
	},
	{
		name: 'Bearer Token',
		service: { headers: { Authorization: 'Bearer token-4711' } },
		right: { authentication: 'bearer', token: ' token-4711 ' },
		wrong: [{ token: 'token-4712' }],
	},
	{
		name: 'Bearer Token (copied with the word before it)',
		service: { headers: { Authorization: 'Bearer token-4711' } },
		right: { authentication: 'bearer', token: 'bearer  token-4711' },
		wrong: [{ token: 'Bearer token-4712' }],
	},
	{
		name: 'Header',
		service: { headers: { 'X-Service-Key': 'header-4711' } },
		right: {
			authentication: 'header',
			headerName: 'X-Service-Key',
			headerSecret: 'header-4711',
		},
		wrong: [{ headerSecret: 'header-4712' }, { headerName: 'X-Key' }],
	},
	{
		name: 'Header (a number from an expression)',
		service: { headers: { 'X-Service-Key': '47110815' } },
		right: { authentication: 'header', headerName: 'X-Service-Key', headerSecret: 47110815 },
		wrong: [{ headerSecret: 'header-4712' }],
	},
	{
		name: 'Query Parameter',
		service: { query: { key: 'query&4711=%' } },
		right: { authentication: 'query', queryName: 'key', querySecret: 'query&4711=%' },
		wrong: [{ querySecret: 'query-4712' }, { queryName: 'token' }],
	},
	{
		name: 'Custom JSON (headers)',
		service: { headers: { 'X-User': '11', 'X-Live': 'true', 'X-Key': 'key-4711' } },
		right: {
			authentication: 'customJson',
			...json({ headers: { 'X-User': 11, 'X-Live': true, 'X-Key': 'key-4711' } }),
		},
		wrong: [
			json({ headers: { 'X-User': 11, 'X-Live': true, 'X-Key': 'key-4712' } }),
			json({ headers: { 'X-User': 11 } }),
		],
	},
	{
		name: 'Custom JSON (query)',
		service: { query: { user: 'user-11', key: 'key-4711' } },
		right: {
			authentication: 'customJson',
			...json({ qs: { user: 'user-11', key: 'key-4711' } }),
		},
		wrong: [json({ qs: { user: 'user-11', key: 'key-4712' } })],
	},
];

const list = { resource: 'smsMessage', operation: 'getAll' };

/** A credential with nothing but this kind of authentication. */
const using = (values: CredentialValues) =>
	credential({ headerName: '', headerSecret: '', ...values });

describe.each(KINDS)('$name', ({ service, right, wrong }) => {
	beforeEach(async () => {
		await sandbox().settings({ authentication: service });
	});

	it.each([
		[sendMessage, right],
		[list, mapValues(right, (value, name) => (/name$/i.test(name) ? ` ${String(value)} ` : value))],
	])('is accepted by a request, also with blanks around a name: %j', async (parameters, values) => {
		const { error, requests } = await run(parameters, { credential: using(values) });
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(1);
	});

	it('is refused without any request where what is secret is empty', async () => {
		const isName = (name: string) => /^authentication$|Name$/.test(name);
		const blank = mapValues(right, (value, name) => (isName(name) ? value : ' '));
		const { error, requests } = await run(sendMessage, { credential: using(blank) });
		expect(error?.message).toMatch(/^The credential has no key$|"JSON" field .* is invalid$/);
		expect(requests).toEqual([]);
	});

	it.each([{ authentication: 'none' }, ...wrong])('is refused with %j, once', async (change) => {
		const { error, requests } = await run(sendMessage, {
			credential: using({ ...right, ...change } as CredentialValues),
		});
		expect(error?.message).toBe(
			'The service did not accept the authentication: The credentials are missing or wrong.',
		);
		expect(error?.description).toContain('secret in the credential');
		expect(error).toMatchObject({ httpCode: '401', context: { itemIndex: 0 } });
		expect(requests.map(({ status }) => status)).toEqual([401]);
	});
});

it('Basic Auth keeps the spaces at the ends of a password', async () => {
	const password = ' pass word ';
	const headers = { Authorization: `Basic ${base64(`ann:${password}`)}` };
	await sandbox().settings({ authentication: { headers } });
	const basic = { authentication: 'basicAuth', username: 'ann', password };
	const { error } = await run(sendMessage, { credential: using(basic) });
	expect(error).toBeUndefined();
});

it('None sends nothing that authenticates', async () => {
	await sandbox().settings({ authentication: {} });
	const { error } = await run(sendMessage, { credential: using({ authentication: 'none' }) });
	expect(error).toBeUndefined();
});

it.each([
	['Token', { authentication: 'bearer', token: { value: 'key-4711' } }, 'an object'],
	[
		'Header Value',
		{ authentication: 'header', headerName: 'X-Key', headerSecret: ['key-4711'] },
		'an array',
	],
	[
		'Parameter Value',
		{ authentication: 'query', queryName: 'key', querySecret: true },
		'a boolean',
	],
])('a %s from an expression that gives no text is an error', async (label, credential, kind) => {
	const { error, requests } = await run(sendMessage, {
		credential: using(credential as unknown as CredentialValues),
	});
	expect(error?.message).toBe(`The ${label} of the credential is ${kind}, not text`);
	expect(error?.description).toContain(`Its expression gives ${kind}`);
	expect(error?.description).toContain('This request was not sent.');
	expect(requests).toEqual([]);
	expectNoSecret([error], ['key-4711']);
});

/** Kinds whose key is the value of a header as it is: of the others, it is encoded. */
const IN_A_HEADER: [string, (key: string) => CredentialValues][] = [
	['Bearer Token', (token) => ({ authentication: 'bearer', token })],
	['Header', (headerSecret) => ({ authentication: 'header', headerName: 'X-Key', headerSecret })],
	[
		'Custom JSON',
		(key) => ({
			authentication: 'customJson',
			...json({ headers: { 'X-User': 1, 'X-Key': key } }),
		}),
	],
];

it.each(IN_A_HEADER)(
	'%s: a key that no header can hold is refused before any request',
	async (_, of) => {
		// What word processors make of characters, other scripts, and what is not visible.
		for (const wrong of [
			'€',
			'“',
			'–',
			'Ł',
			'ключ',
			'🔑',
			'\u200b',
			'\n',
			'\r\n',
			'\0',
			'\x07',
			'\x7f',
		]) {
			const { error, requests } = await run(sendMessage, {
				credential: using(of(`key-4711${wrong}key-4712`)),
			});
			const told = /^The header "(X-Key|Authorization)" of the credential is not allowed$/;
			expect({ wrong, message: error?.message }).toEqual({
				...{ wrong, message: expect.stringMatching(told) },
			});
			expect(error?.description).toContain('without line breaks or characters outside of Latin-1');
			expect(requests).toEqual([]);
			expectNoSecret([error], ['key-4711', 'key-4712']);
		}
	},
);

it.each(IN_A_HEADER)('%s: a key with any other character goes out as it is', async (_, of) => {
	const key = `key ~!"#$%&'()*+,-./:;<=>?@[]^_{|}\t\u00a0£é\u00ff`;
	const { requests } = await run(sendMessage, { credential: using(of(`${key}.`)) });
	const headers = requests[0]?.headers;
	const sent = headers?.['x-key'] ?? String(headers?.authorization).replace('Bearer ', '');
	expect(sent).toBe(`${key}.`);
});

it.each(['', 'X Key', 'X-Key:', 'X-Schlüssel', 'X-Key(1)', 'X-Key\r\nX-Other', '“X-Key”'])(
	'the header name %j is refused before any request',
	async (name) => {
		const attempts: CredentialValues[] = [
			{ authentication: 'header', headerName: name, headerSecret: 'key-4711' },
			{ authentication: 'customJson', ...json({ headers: { [name]: 'key-4711' } }) },
		];
		for (const values of attempts) {
			const { error, requests } = await run(sendMessage, { credential: using(values) });
			expect(error?.message).toMatch(/^The header ".*" of the credential is not allowed$/s);
			expect(requests).toEqual([]);
		}
	},
);

it.each(['', 'key-4711', '[]', '{"headers":'])(
	'Custom JSON that is no JSON object (%p) is an error that does not quote it',
	async (secretJson) => {
		const {
			error,
			requests,
			run: data,
		} = await run(sendMessage, {
			credential: using({ authentication: 'customJson', secretJson }),
		});
		expect(error?.message).toMatch(/"JSON" field of the credential is invalid/);
		expect(error?.description ?? '').not.toMatch(/may have been accepted/);
		expect(error?.context?.itemIndex).toBe(0);
		expect(requests).toEqual([]);
		expectNoSecret([error, data], ['key-4711']);
	},
);
