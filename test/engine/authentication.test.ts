import type { CredentialValues } from '../support/engine';
import { actionSuite } from '../support/actionSuite';
import { expectNoSecret } from '../support/secrets';

const { credential, run, sandbox } = actionSuite();

/** A kind of authentication: the service's setting, and the credential that fits it. */
interface Kind {
	name: string;
	service: Record<string, unknown>;
	right: CredentialValues;
	/** Credentials that the service must refuse. */
	wrong: Record<string, CredentialValues>;
	/** Everything secret in `right` and `wrong`. */
	secrets: string[];
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

const json = (value: object) => ({ secretJson: JSON.stringify(value) });

const KINDS: Kind[] = [
	{
		name: 'None',
		service: {},
		right: { authentication: 'none' },
		wrong: {},
		secrets: [],
	},
	{
		name: 'Basic Auth',
		service: { headers: { Authorization: `Basic ${base64('ann:pass:wörd é')}` } },
		right: { authentication: 'basicAuth', username: 'ann', password: 'pass:wörd é' },
		wrong: {
			'another password': {
				authentication: 'basicAuth',
				username: 'ann',
				password: 'another password',
			},
			'another user': { authentication: 'basicAuth', username: 'bob', password: 'pass:wörd é' },
			'no password': { authentication: 'basicAuth', username: 'ann' },
		},
		secrets: [
			'pass:wörd é',
			'another password',
			base64('ann:pass:wörd é'),
			base64('ann:another password'),
		],
	},
	{
		name: 'Bearer Token',
		service: { headers: { Authorization: 'Bearer token-4711' } },
		right: { authentication: 'bearer', token: ' token-4711 ' },
		wrong: { 'another token': { authentication: 'bearer', token: 'token-4712' } },
		secrets: ['token-4711', 'token-4712'],
	},
	{
		name: 'Header',
		service: { headers: { 'X-Service-Key': 'header-4711' } },
		right: {
			authentication: 'header',
			headerName: 'X-Service-Key',
			headerSecret: 'header-4711',
		},
		wrong: {
			'another value': {
				authentication: 'header',
				headerName: 'X-Service-Key',
				headerSecret: 'header-4712',
			},
			'another name': {
				authentication: 'header',
				headerName: 'X-Key',
				headerSecret: 'header-4711',
			},
		},
		secrets: ['header-4711', 'header-4712'],
	},
	{
		name: 'Query Parameter',
		service: { query: { key: 'query&4711=%' } },
		right: { authentication: 'query', queryName: 'key', querySecret: 'query&4711=%' },
		wrong: {
			'another value': {
				authentication: 'query',
				queryName: 'key',
				querySecret: 'query-4712',
			},
			'another name': {
				authentication: 'query',
				queryName: 'token',
				querySecret: 'query&4711=%',
			},
		},
		secrets: ['query&4711=%', encodeURIComponent('query&4711=%'), 'query-4712'],
	},
	{
		name: 'Custom JSON (headers)',
		service: { headers: { 'X-User': 'user-11', 'X-Key': 'key-4711' } },
		right: {
			authentication: 'customJson',
			...json({ headers: { 'X-User': 'user-11', 'X-Key': 'key-4711' } }),
		},
		wrong: {
			'another value': {
				authentication: 'customJson',
				...json({ headers: { 'X-User': 'user-11', 'X-Key': 'key-4712' } }),
			},
			'one header only': {
				authentication: 'customJson',
				...json({ headers: { 'X-User': 'user-11' } }),
			},
		},
		secrets: ['key-4711', 'key-4712'],
	},
	{
		name: 'Custom JSON (query)',
		service: { query: { user: 'user-11', key: 'key-4711' } },
		right: { authentication: 'customJson', ...json({ qs: { user: 'user-11', key: 'key-4711' } }) },
		wrong: {
			'another value': {
				authentication: 'customJson',
				...json({ qs: { user: 'user-11', key: 'key-4712' } }),
			},
		},
		secrets: ['key-4711', 'key-4712'],
	},
];

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '+447700900123',
	message: 'Hi',
	sender: 'Shop',
};
const list = { resource: 'smsMessage', operation: 'getAll' };

/** A credential with nothing but this kind of authentication. */
const using = (values: CredentialValues) =>
	credential({ headerName: '', headerSecret: '', ...values });

describe.each(KINDS)('$name', ({ service, right, secrets }) => {
	beforeEach(async () => {
		await sandbox().settings({ authentication: service });
	});

	it('is accepted on POST, whose body is the operation’s own', async () => {
		const { error, items, run: data } = await run(send, { credential: using(right) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect((await sandbox().summary()).smsMessages).toBe(1);
		expectNoSecret(data, secrets);
	});

	it('is accepted on GET', async () => {
		const { error, requests } = await run(list, { credential: using(right) });
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(1);
	});
});

const NOTHING: CredentialValues = { authentication: 'none' };
const REFUSALS = KINDS.filter(({ name }) => name !== 'None').flatMap(
	({ name, service, wrong, secrets }) =>
		Object.entries({ 'no authentication': NOTHING, ...wrong }).map(
			([what, values]) => [name, what, { service, values, secrets }] as const,
		),
);

it.each(REFUSALS)(
	'%s: %s is refused, in one request',
	async (_name, _what, { service, values, secrets }) => {
		await sandbox().settings({ authentication: service });
		const { error, requests, run: data } = await run(send, { credential: using(values) });
		expect(error?.message).toBe(
			'The service did not accept the authentication: The credentials are missing or wrong.',
		);
		expect(error?.description).toContain('secret in the credential');
		expect(error).toMatchObject({ httpCode: '401', context: { itemIndex: 0 } });
		expect(requests.map(({ status }) => status)).toEqual([401]);
		expect((await sandbox().summary()).smsMessages).toBe(0);
		expectNoSecret([error, data], secrets);
	},
);

describe('Custom JSON', () => {
	it.each(['', 'key-4711', '[]', '"key-4711"', '{"headers":'])(
		'that is not a JSON object (%p) is an error that does not quote it',
		async (secretJson) => {
			const {
				error,
				requests,
				run: data,
			} = await run(send, {
				credential: using({ authentication: 'customJson', secretJson }),
			});
			expect(error?.message).toMatch(/"JSON" field of the credential is invalid/);
			expect(error?.description ?? '').not.toMatch(/may have been accepted/);
			expect(error?.context?.itemIndex).toBe(0);
			expect(requests).toEqual([]);
			expectNoSecret([error, data], ['key-4711']);
		},
	);
});
