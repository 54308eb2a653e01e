import { readFileSync } from 'node:fs';
import type { CredentialSummary, Execution, N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { exampleWorkflow } from '../../../host/workflows.ts';
import { loggedIn, postToService, sandbox } from '../../e2e/support/host.ts';
import { createCredential } from '../../e2e/support/workflows.ts';
import { voiceBody } from '../../support/voiceCampaign.ts';
import { describePart, killAndStart } from '../support/stand.ts';

const pollName = 'Every Five Minutes';

/** n8n refuses poll times of less than a minute, but takes several of them. */
const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${String(index * 5)} * * * * *`,
}));

describe('the polling trigger in queue mode', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let workflowId: string;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Queue Polls');
		const { nodes, connections, ...content } = exampleWorkflow(
			'never-miss-a-result.json',
			credential,
		);
		({ id: workflowId } = await n8n.createWorkflow({
			...content,
			nodes: nodes
				.filter(({ name }) => name !== 'On Event')
				.map((node) =>
					node.name === pollName
						? { ...node, parameters: { ...node.parameters, pollTimes: { item: everyFiveSeconds } } }
						: node,
				),
			connections: Object.fromEntries(
				Object.entries(connections).filter(([name]) => name !== 'On Event'),
			),
			pinData: {},
		}));
	});

	afterAll(async () => {
		await n8n.deleteWorkflow(workflowId);
		await n8n.deleteCredential(credential.id);
	});

	/** Creates a campaign whose calls are made immediately, and waits for the execution they start. */
	async function reported(name: string, startDate: string): Promise<Execution> {
		const known = await n8n.executionIds(workflowId);
		const phoneNumbers = ['123', '703', '705'].map((end) => ({ number: `+447700900${end}` }));
		await postToService('campaigns/voice', voiceBody({ name, startDate, phoneNumbers }));
		await sandbox().control('POST', '/time', { to: `${startDate}T10:00:00Z` });
		return await poll(
			async () => {
				const [id] = await n8n.executionIds(workflowId);
				return id === undefined || known.includes(id) ? undefined : await n8n.execution(id);
			},
			{ what: `the calls of ${name}`, timeout: 120_000 },
		);
	}

	/** The calls of all executions. Failed polls are executions without any. */
	async function allCalls(): Promise<unknown[]> {
		const executions = await Promise.all(
			(await n8n.executionIds(workflowId)).map(async (id) => await n8n.execution(id)),
		);
		return executions.flatMap((execution) =>
			execution.items(pollName).flatMap(({ json }) => json.eventKey ?? []),
		);
	}

	it('polls in the main process, and runs the workflow in a worker', async () => {
		expect(await n8n.activateWorkflow(workflowId)).toMatchObject({ status: 'published' });
		const execution = await reported('Polled', '2999-01-10');
		expect(execution).toMatchObject({ status: 'success', mode: 'trigger' });
		expect(execution.items('Result')).toHaveLength(3);
		const logs = await Promise.all(
			(['worker1', 'worker2'] as const).map(async (part) =>
				readFileSync((await describePart(part)).logFile, 'utf8'),
			),
		);
		expect(logs.join('\n')).toContain(`execution ${execution.id}`);
	});

	it('continues after the main process was killed: each call once', async () => {
		await killAndStart('main');
		n8n = await loggedIn();
		const execution = await reported('Polled again', '2999-01-11');
		expect(execution.items('Result')).toHaveLength(3);
		// What would come twice comes before the calls of another campaign.
		await reported('Polled at last', '2999-01-12');
		const calls = await allCalls();
		expect(calls).toHaveLength(9);
		expect(new Set(calls).size).toBe(9);
	});
});
