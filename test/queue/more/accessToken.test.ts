import type { N8nClient } from '../../../host/n8nClient.ts';
import { login } from '../../../sandbox/service/tokens.ts';
import { rows, sendRow } from '../../e2e/support/countedService.ts';
import { loggedIn, sandbox } from '../../e2e/support/host.ts';
import { actionWorkflow, createCredential } from '../../e2e/support/workflows.ts';
import { workersOf } from '../support/workers.ts';

describe('Authentication: Access Token, with two workers', () => {
	let n8n: N8nClient;

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	it('each worker logs in once, and each text of four executions goes out once', async () => {
		await sandbox().settings({ authentication: { tokenOnly: true } });
		const credential = await createCredential(n8n, 'Queue Token', {
			authentication: 'accessToken',
			tokenUrl: '/token',
			loginWith: 'clientCredentials',
			oauthClientId: login.clientId,
			oauthClientSecret: login.clientSecret,
			clientCredentialsIn: 'body',
		});
		await sandbox().fault({
			match: { path: '/api/SMSMessages' },
			times: 'always',
			fault: { kind: 'delay', delayMs: 300 },
		});
		const executions = await Promise.all(
			Array.from({ length: 4 }, async (_, index) => {
				const content = actionWorkflow(
					`Queue Token ${String(index)}`,
					credential,
					rows(40).map(({ phoneNumber, text }) => ({
						phoneNumber,
						text: `${String(index)}: ${text}`,
					})),
					sendRow,
				);
				return await n8n.runWorkflow((await n8n.createWorkflow(content)).id, 'Start');
			}),
		);
		expect(executions.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		const { items } = await sandbox().requests({ operationId: 'sendSmsMessage', limit: 10_000 });
		const texts = items.map(({ body }) => (body as { message: string }).message);
		expect(texts).toHaveLength(160);
		expect(new Set(texts).size).toBe(160);
		const workers = await Promise.all(executions.map(async ({ id }) => await workersOf(id)));
		const accepted = new Set(workers.flat()).size;
		expect((await sandbox().tokens()).logins).toEqual({ accepted, refused: 0 });
	});
});
