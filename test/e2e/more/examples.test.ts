import { demonstrate } from '../../../host/demonstration.ts';
import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { exampleFiles } from '../../../host/workflows.ts';
import { importedExample } from '../support/examples.ts';
import { loggedIn, sandbox } from '../support/host.ts';
import { createCredential } from '../support/workflows.ts';

const campaignFile = 'sms-campaign-from-1000-rows.json';
const eventsFile = 'start-here.json';

describe('the example workflows', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	const ids = new Map<string, string>();

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Example Workflows');
		for (const file of exampleFiles()) {
			const { id } = await n8n.createWorkflow(importedExample(file, credential));
			ids.set(file, id);
		}
	});

	afterAll(async () => {
		for (const id of ids.values()) await n8n.deleteWorkflow(id);
		await n8n.deleteCredential(credential.id);
	});

	it('turn 1,000 rows into one campaign, and its 1,000 events into 1,000 executions', async () => {
		const eventsWorkflowId = String(ids.get(eventsFile));
		const campaignWorkflowId = String(ids.get(campaignFile));
		expect(await n8n.activateWorkflow(eventsWorkflowId)).toMatchObject({ status: 'published' });
		const result = await demonstrate({
			n8n,
			sandbox: sandbox(),
			campaignWorkflowId,
			eventsWorkflowId,
		});
		expect(result).toMatchObject({
			campaigns: 1,
			contacts: 1000,
			delivered: 1000,
			executions: 1000,
			lost: 0,
		});
		const [last] = await n8n.executionIds(eventsWorkflowId, 1);
		const execution = await n8n.execution(String(last));
		expect(execution.items('Keep What Matters')).toHaveLength(1);
		expect(Object.keys(execution.items('Keep What Matters')[0]?.json ?? {}).sort()).toEqual([
			'eventId',
			'lastUpdated',
			'parts',
			'phoneNumber',
			'price',
			'status',
			'statusCode',
		]);
	}, 600_000);
});
