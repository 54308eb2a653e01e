import { createHmac } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	isSameToken,
	TOKEN_PARAMETER,
	webhookToken,
	withToken,
} from '../../nodes/MessagingService/transport/webhookToken';

// Operators and saved URLs depend on both: a token must stay the same over all versions.
const KNOWN_SECRET = 'correct horse';
const KNOWN_TOKEN = createHmac('sha256', 'correct horse')
	.update('messaging-service-webhook')
	.digest('hex');

test('the token is a hash with the secret as key, and not the secret', () => {
	expect(webhookToken({ webhookSecret: KNOWN_SECRET })).toBe(KNOWN_TOKEN);
	expect(webhookToken({ webhookSecret: `  ${KNOWN_SECRET}\n` })).toBe(KNOWN_TOKEN);
});

test.each([undefined, '', '  ', 42])('there is none for the secret %j', (webhookSecret) => {
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

test('only the whole token is the same', () => {
	expect(isSameToken(KNOWN_TOKEN, KNOWN_TOKEN)).toBe(true);
	for (const other of ['', KNOWN_TOKEN.slice(1), `${KNOWN_TOKEN}0`, [KNOWN_TOKEN], undefined]) {
		expect(isSameToken(other, KNOWN_TOKEN)).toBe(false);
	}
	// What is no text counts as none.
	expect(isSameToken(undefined, '')).toBe(true);
});
