import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { loggedIn, sandbox } from '../../e2e/support/host.ts';
import {
	createCredential,
	sandboxCredentialData,
	triggerName,
	triggerWorkflow,
	webhookUrl,
} from '../../e2e/support/workflows.ts';
import { kill, queueHost, start } from '../support/stand.ts';

describe('the package in queue mode', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let workflowId: string;
	const urlWith = (secret?: string) => webhookUrl(queueHost().n8nUrl, 'queue', secret);

	const event = async () => await sandbox().event({ webHookType: 1, data: { statusCode: 1 } });

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Queue Mode');
		const content = triggerWorkflow('Queue', credential, { path: 'queue', events: ['smsStatus'] });
		({ id: workflowId } = await n8n.createWorkflow(content));
		expect(await n8n.activateWorkflow(workflowId)).toMatchObject({ status: 'published' });
		await registered(urlWith());
	});

	/** Waits for what is registered; the token of a URL counts only where it is named. */
	async function registered(expected: string, timeout = 60_000): Promise<void> {
		await poll(async () => ((await sandbox().webhook()).url === expected ? true : undefined), {
			what: `the registration of ${expected}`,
			timeout,
		});
	}

	it('shows a sample in the editor, through the main process', async () => {
		await n8n.listen(workflowId, triggerName);
		const id = await poll(async () => (await n8n.executionIds(workflowId))[0], {
			what: 'the sample',
			timeout: 120_000,
		});
		const sample = await n8n.finishedExecution(id);
		expect(sample).toMatchObject({ status: 'success', mode: 'manual' });
		expect(sample.items(triggerName)).toMatchObject([{ json: { statusCode: 1, sample: true } }]);
		await registered(urlWith());
	});

	it('registers the URL again when the leader was killed and started again', async () => {
		await kill('main');
		// The service has lost its data meanwhile.
		await sandbox().reset();
		await start('main');
		n8n = await loggedIn();
		await registered(urlWith());
		expect(await event()).toMatchObject({ status: 'acknowledged' });
	});

	it('takes the old token of a changed secret until the URL is registered anew', async () => {
		const change = async (webhookSecret: string) => {
			await n8n.updateCredential(credential, { ...sandboxCredentialData(), webhookSecret });
		};
		const publishAgain = async (secret: string) => {
			await n8n.deactivateWorkflow(workflowId);
			await n8n.activateWorkflow(workflowId);
			await registered(urlWith(secret));
			expect(await event()).toMatchObject({ status: 'acknowledged', attempts: [{ status: 200 }] });
		};
		const isAnswered = async (secret: string, status: number) => {
			const body = JSON.stringify({ webHookType: 1, data: { statusCode: 1 } });
			const headers = { 'content-type': 'application/json' };
			const answer = async () =>
				(await fetch(urlWith(secret), { method: 'POST', headers, body })).status === status ||
				undefined;
			await poll(answer, { what: `${String(status)} for the ${secret} token`, timeout: 60_000 });
		};
		await change('old');
		await publishAgain('old');
		await change('new');
		// The credential is read at most once a second: from here on it is the new one.
		await isAnswered('new', 200);
		await isAnswered('old', 200);
		await isAnswered('guess', 401);
		await publishAgain('new');
		await isAnswered('old', 401);
	}, 180_000);
});
