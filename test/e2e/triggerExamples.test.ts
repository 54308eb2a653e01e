import type { CredentialSummary, N8nClient, WorkflowContent } from '../../host/n8nClient.ts';
import { exampleWorkflow } from '../../host/workflows.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { createCredential, triggerName } from './support/workflows.ts';

describe('the example workflows around the trigger', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Trigger Examples', { webhookSecret: 'night watch' });
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
	});

	async function run(workflow: WorkflowContent, start: string) {
		const { id } = await n8n.createWorkflow(workflow);
		try {
			return await n8n.runWorkflow(id, start);
		} finally {
			await n8n.deleteWorkflow(id);
		}
	}

	it('renew the registration, with the token', async () => {
		const workflow = exampleWorkflow('renew-webhook-registration.json', credential);
		const execution = await run(workflow, 'Every Night');
		expect(execution.status).toBe('success');
		const [item] = execution.items('Register the URL');
		const { url } = item?.json as { url: string };
		expect(url).not.toContain('token');
		expect(await sandbox().webhookUrl()).toMatch(new RegExp(`^${url}\\?token=[\\da-f]{64}$`));
		await sandbox().control('POST', '/reset');
	});

	it('route events to sub-workflows, from pinned events', async () => {
		const workflow = exampleWorkflow('route-events-to-sub-workflows.json', credential);
		const execution = await run(workflow, triggerName);
		expect(execution.error).toBeUndefined();
		const handled = ['Opt-Outs', 'Answered Calls', 'Other Calls', 'Failed Messages'].map((name) =>
			execution.items(name).map(({ json }) => [json.handledBy, json.outcome ?? json.status]),
		);
		expect(handled).toEqual([
			[['Opt-Outs', 'Answered']],
			[['Answered Calls', 'Answered']],
			[['Other Calls', 'Busy']],
			[['Failed Messages', 'Undeliverable']],
		]);
	});
});
