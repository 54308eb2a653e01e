import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { redact, secretsOf } from '../../nodes/MessagingService/transport/secrets';
import { webhookToken } from '../../nodes/MessagingService/transport/webhookToken';

const SECRET = `pä ss/w'ö"r<d>&!(*)\\`;

/** Ways in which a service, a gateway or a library writes a text into its answer. */
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
	'as it is': (text) => text,
	'in a URL': encodeURIComponent,
	'in a URL, in lower case': (text) =>
		encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
	'in a query': (text) => new URLSearchParams({ a: text }).toString().slice(2),
	'in a URL within a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
	'in JSON': (text) => JSON.stringify(text).slice(1, -1),
	'in JSON with escaped slashes': (text) =>
		JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'in JSON without letters beyond ASCII': (text) =>
		JSON.stringify(text)
			.slice(1, -1)
			.replace(/[^\0-\x7f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
	'in JSON within JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
	'in HTML': (text) =>
		text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
	'in an attribute of HTML': (text) =>
		text
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('>', '&gt;')
			.replaceAll('"', '&quot;')
			.replaceAll("'", '&#39;'),
	'in an attribute of HTML, with numbers': (text) =>
		text
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('>', '&gt;')
			.replaceAll('"', '&#34;')
			.replaceAll("'", '&#x27;'),
	'in Base64': (text) => Buffer.from(text).toString('base64'),
	'in Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
};

const FIELDS = ['password', 'token', 'headerSecret', 'querySecret', 'webhookSecret'];

describe.each(FIELDS)('a secret in the field %s', (field) => {
	test.each(Object.entries(WRITERS))('is found %s', (_, write) => {
		for (const secret of [SECRET, `  ${SECRET}\n`]) {
			const secrets = secretsOf({ [field]: secret });
			for (const sent of [secret, secret.trim()]) {
				const written = write(sent).replace(/=+$/, '');
				expect(redact(`before ${written} after`, secrets)).toBe('before ***** after');
			}
		}
	});
});

test('the texts and numbers in Custom JSON are secrets, however deep', () => {
	const secretJson = JSON.stringify({
		headers: { 'X-Key': 'first-secret' },
		qs: { list: [{ key: 'second-secret' }, 'third-secret'], code: 12345, none: null, on: true },
	});
	const secrets = secretsOf({ secretJson });
	expect(redact('first-secret second-secret third-secret 12345 null true', secrets)).toBe(
		'***** ***** ***** ***** null true',
	);
	// Names are none.
	expect(redact('X-Key headers', secrets)).toBe('X-Key headers');
});

test('of Custom JSON that is none, the quoted values are secrets', () => {
	const secrets = secretsOf({
		secretJson: '{ "X-Key" : "first-\\"secret", { "other":"next-secret" ',
	});
	expect(redact('first-\\"secret next-secret X-Key', secrets)).toBe('***** ***** X-Key');
	expect(secretsOf({ secretJson: 5 } as ICredentialDataDecryptedObject)).toEqual([]);
});

test('user name and password together are a secret of Basic Auth only', () => {
	const data = { username: ' you ', password: 'secret' };
	const sent = Buffer.from('you:secret').toString('base64').replace(/=+$/, '');
	expect(redact(sent, secretsOf({ ...data, authentication: 'basicAuth' }))).toBe('*****');
	expect(redact(sent, secretsOf({ ...data, authentication: 'bearer' }))).toBe(sent);
	const without = Buffer.from(':').toString('base64').replace(/=+$/, '');
	expect(secretsOf({ authentication: 'basicAuth' })).not.toContain(without);
});

test('the token of webhook URLs is a secret', () => {
	const token = webhookToken({ webhookSecret: 'correct horse' }) ?? '';
	expect(redact(`?token=${token}`, secretsOf({ webhookSecret: 'correct horse' }))).toBe(
		'?token=*****',
	);
});

test('what is short, or shorter than asked for, is an ordinary word', () => {
	expect(secretsOf({ password: 'abc' })).toEqual([]);
	expect(secretsOf({ password: 'abcd' })).toContain('abcd');
	expect(secretsOf({ password: 'abcdefghijk' }, 12)).toEqual([]);
	expect(secretsOf({ password: 'abcdefghijkl' }, 12)).toContain('abcdefghijkl');
	expect(secretsOf({ password: '  ab  ' }).every(({ length }) => length >= 4)).toBe(true);
});

test('no form comes twice, and half a character does not matter', () => {
	const secrets = secretsOf({ password: 'plain', token: 'plain' });
	expect(new Set(secrets).size).toBe(secrets.length);
	expect(() => secretsOf({ password: 'half\ud800secret' })).not.toThrow();
});
