import { uniq } from 'lodash';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { redact, secretsOf } from '../../nodes/MessagingService/transport/secrets';

const SECRET = `pä ss/w'ö"r<d>&!(*)\\`;

/** Ways in which a service, a gateway or a library writes a text into its response. */
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
	'as it is': (text) => text,
	'in a URL': encodeURIComponent,
	'in a URL, as n8n writes queries': (text) =>
		encodeURIComponent(text).replace(
			/[!'()*]/g,
			(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
		),
	'in a form': (text) => new URLSearchParams({ text }).toString().slice('text='.length),
	'in JSON': (text) => JSON.stringify(text).slice(1, -1),
};

/** All that the form does not show. */
const HIDDEN = uniq(
	new MessagingServiceApi().properties.flatMap(({ name, typeOptions }) =>
		typeOptions?.password === true ? [name] : [],
	),
);
const FIELDS = HIDDEN.filter((name) => !name.endsWith('Json'));

test('the form shows no secret', () => {
	expect([...HIDDEN].sort()).toEqual([
		...['headerSecret', 'loginJson', 'oauthClientSecret', 'password', 'querySecret'],
		...['secretJson', 'token', 'webhookSecret'],
	]);
});

test.each(HIDDEN.filter((name) => name.endsWith('Json')))('%s has secrets', (field) => {
	const json = JSON.stringify({ headers: { 'X-Key': 'first-4711' }, password: 'second-4711' });
	expect(redact('a first-4711, second-4711', secretsOf({ [field]: json }))).toBe('a *****, *****');
});

describe.each(FIELDS)('a secret in the field %s', (field) => {
	test.each(Object.entries(WRITERS))('is found %s', (_, write) => {
		for (const secret of [SECRET, `  ${SECRET}\n`]) {
			const secrets = secretsOf({ [field]: secret });
			for (const sent of [secret, secret.trim()]) {
				expect(redact(`before ${write(sent)} after`, secrets)).toBe('before ***** after');
			}
		}
	});
});

test.each(FIELDS)('a number in the field %s is a secret, too', (field) => {
	expect(redact('before 47110815 after', secretsOf({ [field]: 47110815 }))).toBe(
		'before ***** after',
	);
});

test.each([
	['headerSecret', 'Bearer abcdefgh'],
	['headerSecret', 'Basic YWJjOmRlZg=='],
	['token', 'Bearer abcdefgh'],
	['querySecret', ' Token abcdefgh'],
])('the token in the field %s with the value %j is a secret of its own', (field, secret) => {
	const [, token = ''] = secret.trim().split(' ');
	expect(redact(`The token ${token} is unknown`, secretsOf({ [field]: secret }))).toBe(
		'The token ***** is unknown',
	);
});

describe('Custom JSON', () => {
	const redacted = (custom: unknown, text: string) =>
		redact(text, secretsOf({ secretJson: JSON.stringify(custom) }));

	test('has secrets only, under any name and wherever they stand', () => {
		const headers = { Authorization: 'first', 'X-Acme': 'q1w2e3r4t5y6u7i8' };
		const custom = { headers, qs: { account: 100200300, login: { a: ['second', true] } } };
		expect(redacted(custom, 'a first, q1w2e3r4t5y6u7i8, 100200300, second b, true')).toBe(
			'a *****, *****, *****, ***** b, true',
		);
	});

	test('has the token of an Authorization header as a secret of its own', () => {
		const custom = { headers: { Authorization: 'Bearer abcdefgh' } };
		expect(redacted(custom, 'The token abcdefgh is unknown')).toBe('The token ***** is unknown');
	});

	test.each(['', '{ "headers": ', '"text"', '5', 'null', 5])(
		'that is no object has no secrets: nothing is sent with it (%j)',
		(secretJson) => {
			expect(secretsOf({ secretJson } as ICredentialDataDecryptedObject)).toEqual([]);
		},
	);
});

test('user name and password together are a secret of Basic Auth only', () => {
	const data = { username: ' you ', password: 'secret' };
	const sent = Buffer.from('you:secret').toString('base64');
	expect(redact(sent, secretsOf({ ...data, authentication: 'basicAuth' }))).toBe('*****');
	expect(redact(sent, secretsOf({ ...data, authentication: 'bearer' }))).toBe(sent);
});

test('what is short is an ordinary word', () => {
	expect(secretsOf({ password: 'abc' })).toEqual([]);
	expect(secretsOf({ password: 'abcd' })).toContain('abcd');
	expect(secretsOf({ password: '  ab  ' }).every(({ length }) => length >= 4)).toBe(true);
});

test('a secret of two words is one, also without the blanks around it', () => {
	const secrets = secretsOf({ headerSecret: ' correct horsebattery\n' });
	expect(redact('the key "correct horsebattery" is unknown', secrets)).toBe(
		'the key "*****" is unknown',
	);
});

test('signs that are no secret stay', () => {
	expect(redact('a ++++ b', ['abcd'])).toBe('a ++++ b');
});
