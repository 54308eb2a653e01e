import { createHmac } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	hasDigest,
	TOKEN_PARAMETER,
	tokenDigest,
	webhookToken,
	withoutToken,
	withToken,
} from '../../nodes/MessagingService/transport/webhookToken';

// Operators and saved URLs depend on both: a token must stay the same over all versions.
const KNOWN_SECRET = 'correct horse';
const KNOWN_TOKEN = createHmac('sha256', 'correct horse')
	.update('messaging-service-webhook')
	.digest('hex');

test('the token is a hash with the secret as key, and not the secret', () => {
	expect(webhookToken({ webhookSecret: KNOWN_SECRET })).toBe(KNOWN_TOKEN);
	const padded = ' a secret with spaces ';
	const documented = createHmac('sha256', padded).update('messaging-service-webhook').digest('hex');
	expect(webhookToken({ webhookSecret: padded })).toBe(documented);
});

test.each([undefined, '', 42])('there is none for the secret %j', (webhookSecret) => {
	expect(webhookToken({ webhookSecret } as ICredentialDataDecryptedObject)).toBeUndefined();
});

test('a URL gets the token, once', () => {
	expect(TOKEN_PARAMETER).toBe('token');
	const url = 'https://n8n.example.com/webhook/a?b=c';
	expect(withToken(url, KNOWN_TOKEN)).toBe(`${url}&token=${KNOWN_TOKEN}`);
	expect(withToken(url, undefined)).toBe(url);
	expect(withToken('https://n8n.example.com', undefined)).toBe('https://n8n.example.com');
	expect(withToken(`${url}&token=other`, KNOWN_TOKEN)).toBe(`${url}&token=${KNOWN_TOKEN}`);
});

test('a URL loses its token, and nothing else', () => {
	const url = 'https://n8n.example.com/webhook/a?b=c';
	expect(withoutToken(withToken(url, KNOWN_TOKEN))).toBe(url);
	expect(withoutToken(url)).toBe(url);
	expect(withoutToken('no url')).toBe('no url');
});

test('only the whole token has its digest, which does not tell the token', () => {
	const digest = tokenDigest(KNOWN_TOKEN);
	expect(digest).not.toContain(KNOWN_TOKEN);
	expect(hasDigest(KNOWN_TOKEN, digest)).toBe(true);
	for (const other of ['', KNOWN_TOKEN.slice(1), `${KNOWN_TOKEN}0`, [KNOWN_TOKEN], undefined]) {
		expect(hasDigest(other, digest)).toBe(false);
	}
});
