import type { CredentialSummary, Execution, N8nClient } from '../../sandbox/host/n8nClient.ts';
import { poll } from '../../sandbox/host/poll.ts';
import { host, loggedIn, sandbox } from './support/host.ts';
import { createCredential, triggerName, triggerWorkflow } from './support/workflows.ts';

const path = 'trigger-tests';

describe('the trigger node', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let workflowId: string;

	/** Has the sandbox deliver an event, and gives the execution that it started. */
	async function deliver(event: Record<string, unknown>): Promise<Execution> {
		const [last] = await n8n.executionIds(workflowId, 1);
		const delivery = await sandbox().control<{ status: string }>(
			'POST',
			'/events?wait=true',
			event,
		);
		expect(delivery.status).toBe('acknowledged');
		const id = await poll(
			async () => {
				const [newest] = await n8n.executionIds(workflowId, 1);
				return newest === last ? undefined : newest;
			},
			{ what: 'the execution of the event', timeout: 30_000 },
		);
		return await n8n.finishedExecution(id);
	}

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Trigger Tests');
		const parameters = { path, events: ['callAttempted', 'smsStatus'] };
		({ id: workflowId } = await n8n.createWorkflow(
			triggerWorkflow('Trigger Tests', credential, parameters),
		));
	});

	afterAll(async () => {
		await n8n.deleteWorkflow(workflowId);
		await n8n.deleteCredential(credential.id);
	});

	it('registers its production URL when the workflow is published', async () => {
		expect(await n8n.activateWorkflow(workflowId)).toMatchObject({ status: 'published' });
		const registered = await sandbox().webhookUrl();
		expect(registered).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\//);
		expect(registered?.startsWith(`${host().n8nUrl}/webhook/${path}`)).toBe(true);
	});

	it('runs the workflow for a call event, decoded', async () => {
		const execution = await deliver({
			webHookType: 0,
			data: { outCome: 1, stage: 14, phoneNumber: '+447700900123', campaignId: '2001' },
		});
		expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
		expect(execution.items(triggerName).map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'callAttempted',
				outcomeCode: 1,
				outcome: 'Answered',
				stageCode: 14,
				stage: 'Opt out',
				phoneNumber: '+447700900123',
				campaignId: '2001',
			}),
		]);
	});

	it('runs the workflow for an SMS status event, decoded', async () => {
		const execution = await deliver({
			webHookType: 1,
			data: { statusCode: 5, phoneNumber: '+447700900456', parts: 2 },
		});
		expect(execution.status).toBe('success');
		expect(execution.items(triggerName).map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'smsStatus',
				statusCode: 5,
				status: 'Undeliverable',
				phoneNumber: '+447700900456',
				parts: 2,
			}),
		]);
	});

	it('removes its URL when the workflow is unpublished', async () => {
		expect(await n8n.deactivateWorkflow(workflowId)).toMatchObject({ status: 'not_published' });
		expect(await sandbox().webhookUrl()).toBeUndefined();
	});

	it('says why when it cannot register', async () => {
		const wrong = await createCredential(n8n, 'Wrong Key', { headerSecret: 'not-the-key' });
		const { id } = await n8n.createWorkflow(
			triggerWorkflow('Wrong Key', wrong, { path: 'wrong-key', events: ['smsStatus'] }),
		);
		try {
			const publication = await n8n.activateWorkflow(id);
			expect(publication.status).toBe('failed');
			expect(publication.triggers[0]?.errorMessage).toEqual(expect.stringMatching(/\w/));
			expect(await sandbox().webhookUrl()).toBeUndefined();
		} finally {
			await n8n.deleteWorkflow(id);
			await n8n.deleteCredential(wrong.id);
		}
	});
});
