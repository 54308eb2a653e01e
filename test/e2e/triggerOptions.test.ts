import type { CredentialSummary, Execution, N8nClient } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { host, loggedIn } from './support/host.ts';
import { createCredential, triggerName, triggerWorkflow } from './support/workflows.ts';

const call = { webHookType: 0, data: { outCome: 3, phoneNumber: '+447700900123' } };
const sms = { webHookType: 1, data: { statusCode: 1, phoneNumber: '+447700900124' } };

describe('options of the trigger', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	/** Publishes a trigger that registers nothing, has it for a while, and removes it. */
	async function withTrigger(
		path: string,
		options: Record<string, unknown>,
		use: (post: (event: object) => Promise<number>, workflowId: string) => Promise<void>,
	) {
		const parameters = { path, options: { registration: 'manual', ...options } };
		const { id } = await n8n.createWorkflow(triggerWorkflow(path, credential, parameters));
		try {
			expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
			const post = async (event: object) => {
				const response = await fetch(`${host().n8nUrl}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(event),
				});
				return response.status;
			};
			await use(post, id);
		} finally {
			await n8n.deleteWorkflow(id);
		}
	}

	/** The executions of a workflow, the oldest first, once there are so many and all have ended. */
	async function executionsOf(workflowId: string, count: number): Promise<Execution[]> {
		const ids = await poll(
			async () => {
				const found = await n8n.executionIds(workflowId);
				return found.length >= count ? found : undefined;
			},
			{ what: `${String(count)} executions`, timeout: 30_000 },
		);
		const executions = await Promise.all(ids.map(async (id) => await n8n.finishedExecution(id)));
		return executions.reverse();
	}

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Trigger Options');
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
	});

	it('gives each kind of event its own output', async () => {
		await withTrigger('separate-outputs', { separateOutputs: true }, async (post, id) => {
			for (const event of [call, sms, { webHookType: 7, data: { what: 'new' } }]) {
				expect(await post(event)).toBe(200);
				await executionsOf(id, 1);
			}
			const executions = await executionsOf(id, 3);
			const outputs = executions.map((execution) =>
				[0, 1, 2].map((output) =>
					execution.items(triggerName, output).map(({ json }) => json.event),
				),
			);
			expect(outputs).toEqual(
				expect.arrayContaining([
					[['callAttempted'], [], []],
					[[], ['smsStatus'], []],
					[[], [], ['unknown']],
				]),
			);
		});
	});

	it.each([
		['127.0.0.0/8', 200, 1],
		['203.0.113.7', 403, 0],
	])(
		'with the allowlist %s, responds to a delivery from here with %d',
		async (list, status, count) => {
			const path = `allowlist-${String(status)}`;
			await withTrigger(path, { ipAllowlist: list }, async (post, id) => {
				expect(await post(sms)).toBe(status);
				expect(await executionsOf(id, count)).toHaveLength(count);
			});
		},
	);
});
