import fc from 'fast-check';
import {
	fieldsIn,
	loginRequestOf,
	tokenIn,
} from '../../nodes/MessagingService/transport/loginRequest';
import { holds } from '../support/runs';

const SERVICE = 'https://service.example.com';

/** Any text that is not cut at its ends, as a credential has it. */
const text = fc
	.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
	.map((each) => each.trim());

/** A part of a form as a server reads it. */
const decoded = (part = '') => decodeURIComponent(part.replaceAll('+', ' '));

const fieldsOf = (form: string) =>
	Object.fromEntries(form.split('&').map((each) => each.split('=').map((part) => decoded(part))));

it('a login in a header has the client as it was entered, whatever characters it has', async () => {
	await holds(
		fc.property(text, text, (id, secret) => {
			fc.pre(id !== '');
			const data = {
				...{ loginWith: 'clientCredentials', clientCredentialsIn: 'header', tokenUrl: '/token' },
				...{ oauthClientId: id, oauthClientSecret: secret },
			};
			const { headers, body } = loginRequestOf(data, SERVICE);
			const [, pair = ''] = /^Basic (\S+)$/.exec(headers.Authorization ?? '') ?? [];
			const parts = Buffer.from(pair, 'base64').toString().split(':');
			expect(parts.map(decoded)).toEqual([id, secret]);
			expect(fieldsOf(body)).toEqual({ grant_type: 'client_credentials' });
		}),
		50,
	);
});

it('a login with a form has what was entered, and no field that is empty', async () => {
	await holds(
		fc.property(text, text, text, fc.string(), (id, secret, username, password) => {
			const data = {
				...{ loginWith: 'password', tokenUrl: '/token', username, password, scope: ' a b ' },
				...{ oauthClientId: id, oauthClientSecret: secret },
			};
			const { body, headers } = loginRequestOf(data, SERVICE);
			expect(headers).not.toHaveProperty('Authorization');
			const all = { username, password, client_id: id, client_secret: secret };
			const given = Object.entries(all).filter(([, value]) => value !== '');
			expect(fieldsOf(body)).toEqual({
				...{ grant_type: 'password', scope: 'a b' },
				...Object.fromEntries(given),
			});
		}),
		50,
	);
});

it.each([
	['/oauth/token', SERVICE, `${SERVICE}/oauth/token`],
	['/token', `${SERVICE}:8443/gateway/v1`, `${SERVICE}:8443/gateway/v1/token`],
	[' https://login.example.com/token ', SERVICE, 'https://login.example.com/token'],
])('Token URL %j of the Base URL %s is %s', (tokenUrl, baseUrl, url) => {
	expect(loginRequestOf({ loginWith: 'clientCredentials', tokenUrl }, baseUrl).url).toBe(url);
});

it.each(['body', 'header'])('a login with a password needs no client, in the %s', (place) => {
	for (const oauthClientId of ['', ' ', undefined]) {
		const data = {
			...{ loginWith: 'password', tokenUrl: '/token', username: 'ann', password: 'b' },
			...{ oauthClientId, oauthClientSecret: '', clientCredentialsIn: place },
		};
		const { body, headers } = loginRequestOf(data as never, SERVICE);
		expect(fieldsOf(body)).toEqual({ grant_type: 'password', username: 'ann', password: 'b' });
		expect(Object.keys(headers)).toEqual(['Content-Type']);
	}
});

it.each([
	[' data.token ', 'data.token'],
	[' ', ''],
	[undefined, 'access_token'],
])('Token Field %j is %j', (tokenField, field) => {
	const data = { loginWith: 'json', loginJson: '{}', tokenUrl: '/token', tokenField };
	expect(loginRequestOf(data as never, SERVICE).tokenField).toBe(field);
});

it.each([
	['access_token', { access_token: 'a-token', expires_in: 60 }, 60_000],
	['access_token', { access_token: 'a-token', expires_in: '0.5' }, 500],
	['data.token', { data: { token: 'a-token', expires_in: 60 }, expires_in: 7 }, 60_000],
	['data.token', { data: { token: 'a-token' }, expires_in: 7 }, undefined],
	['access_token', { access_token: 'a-token', expires_in: 0 }, undefined],
	['access_token', { access_token: 'a-token', expires_in: -1 }, undefined],
	['access_token', { access_token: 'a-token', expires_in: null }, undefined],
	['access_token', { access_token: 'a-token', expires_in: 'soon' }, undefined],
	['', 'a-token', undefined],
])('the token in %j of %j lives for %p milliseconds', (field, content, lifetimeMs) => {
	expect(tokenIn(content, field)).toEqual({ value: 'a-token', lifetimeMs });
});

it.each([
	['access_token', { access_token: 'a token' }],
	['access_token', { access_token: 4711 }],
	['access_token', { access_token: '' }],
	['access_token', 'a-token'],
	['data.token', { token: 'a-token' }],
	['', { token: 'a-token' }],
])('there is no token in %j of %j', (field, content) => {
	expect(tokenIn(content, field)).toBeUndefined();
});

it.each([
	[{}, 'It has no fields.'],
	['text', 'It has no fields.'],
	[[{ a: 1 }], 'It has no fields.'],
	[{ a: 1 }, 'It has the fields a.'],
	[{ a: { b: { c: { d: 1 } } }, e: [1] }, 'It has the fields a, a.b, a.b.c, e.'],
	[{ ['x'.repeat(201)]: 1 }, `It has the fields ${'x'.repeat(197)}....`],
])('of a response without a token (%j), an error says: %s', (content, says) => {
	expect(fieldsIn(content)).toBe(says);
});
