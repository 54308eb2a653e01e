import type { CredentialSummary, N8nClient, WorkflowContent } from '../../host/n8nClient.ts';
import { exampleWorkflow } from '../../host/workflows.ts';
import { startServer } from '../support/servers.ts';
import { loggedIn } from './support/host.ts';
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

	it('pass events on unchanged, and give out what could not be passed on', async () => {
		const receiver = await startServer((_request, response) => void response.end('{}'));
		const failing = await startServer((_request, response) => void response.writeHead(500).end());
		try {
			for (const { url } of [receiver, failing]) {
				const workflow = exampleWorkflow('pass-events-on.json', credential);
				delete workflow.pinData?.['Send to CRM'];
				for (const node of workflow.nodes) {
					if (node.name === 'Send to CRM') Object.assign(node.parameters, { url });
				}
				const execution = await run(workflow, triggerName);
				expect(execution.status).toBe('success');
				expect(execution.items('Not Passed On')).toHaveLength(url === failing.url ? 2 : 0);
				const events = execution.items(triggerName).map(({ json }) => json);
				if (url !== receiver.url) continue;
				const bodies = receiver.received.map(({ body }) => JSON.parse(body) as unknown);
				expect(bodies).toEqual(events);
			}
		} finally {
			await receiver.close();
			await failing.close();
		}
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
