import { login } from '../../../sandbox/service/tokens.ts';
import { rows, sendRow } from '../support/countedService.ts';
import { loggedIn, sandbox } from '../support/host.ts';
import { createCredential, runAction } from '../support/workflows.ts';

describe('Authentication: Access Token, with many texts in a real n8n', () => {
	it('300 texts with tokens that live two seconds go out once each, ten at a time', async () => {
		await sandbox().settings({
			authentication: { tokenOnly: true },
			tokens: { expiresInSeconds: 2 },
		});
		await sandbox().fault({
			match: { path: '/api/SMSMessages' },
			times: 'always',
			fault: { kind: 'delay', delayMs: 200 },
		});
		const n8n = await loggedIn();
		const credential = await createCredential(n8n, 'Access Token', {
			...{ authentication: 'accessToken', tokenUrl: '/token', loginWith: 'clientCredentials' },
			oauthClientId: login.clientId,
			oauthClientSecret: login.clientSecret,
			clientCredentialsIn: 'header',
		});
		const { status } = await runAction(n8n, 'Many Texts', credential, rows(300), sendRow);
		expect(status).toBe('success');
		const { items } = await sandbox().requests({ operationId: 'sendSmsMessage', limit: 10_000 });
		const texts = items
			.filter((request) => request.status === 200)
			.map(({ body }) => (body as { message: string }).message);
		expect(texts.sort()).toEqual(
			rows(300)
				.map(({ text }) => text)
				.sort(),
		);
		const { accepted, refused } = (await sandbox().tokens()).logins;
		console.log(`300 texts: ${String(accepted)} logins`);
		expect(refused).toBe(0);
		// Thirty times 200 ms, with a login for each second.
		expect(accepted).toBeGreaterThanOrEqual(5);
		expect((await sandbox().summary()).mostRequestsAtOnce).toBe(10);
	});
});
