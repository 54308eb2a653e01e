import { createHmac } from 'node:crypto';
import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { loggedIn, sandbox } from '../../e2e/support/host.ts';
import {
	createCredential,
	sandboxCredentialData,
	triggerName,
	triggerWorkflow,
} from '../../e2e/support/workflows.ts';
import { kill, queueHost, start } from '../support/stand.ts';

describe('the package in queue mode', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let workflowId: string;
	const production = () => `${queueHost().n8nUrl}/webhook/queue`;

	const urlWith = (secret: string) => {
		const token = createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');
		return `${production()}?token=${token}`;
	};

	const event = async (statusCode: number) =>
		await sandbox().control<{ status: string; attempts: { status: number }[] }>('POST', '/events', {
			webHookType: 1,
			data: { statusCode },
		});

	/** The newest execution of the workflow, once there are so many. */
	async function execution(count: number) {
		const [id] = await poll(
			async () => {
				const ids = await n8n.executionIds(workflowId);
				return ids.length >= count ? ids : undefined;
			},
			{ what: `execution ${String(count)}`, timeout: 120_000 },
		);
		return await n8n.execution(String(id));
	}

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Queue Mode');
		const content = triggerWorkflow('Queue', credential, { path: 'queue', events: ['smsStatus'] });
		({ id: workflowId } = await n8n.createWorkflow(content));
	});

	it('registers the URL of the webhook processors when it is published', async () => {
		expect(await n8n.activateWorkflow(workflowId)).toMatchObject({ status: 'published' });
		expect(await sandbox().webhookUrl()).toBe(`${queueHost().n8nUrl}/webhook/queue`);
	});

	/** Waits for what is registered; the token of a URL counts only where it is named. */
	async function registered(expected: string | undefined, timeout = 60_000): Promise<void> {
		await poll(async () => ((await sandbox().webhookUrl()) === expected ? true : undefined), {
			what: `the registration of ${String(expected)}`,
			timeout,
		});
	}

	it('shows a sample in the editor, through the main process', async () => {
		await n8n.listen(workflowId, triggerName);
		const { status, mode, items } = await execution(2);
		expect({ status, mode }).toEqual({ status: 'success', mode: 'manual' });
		expect(items(triggerName)).toMatchObject([{ json: { statusCode: 1, sample: true } }]);
		await registered(production());
	});

	it('registers the URL again when the leader was killed and started again', async () => {
		await kill('main');
		// The service has lost its data meanwhile.
		await sandbox().control('POST', '/reset');
		await start('main');
		n8n = await loggedIn();
		await registered(production());
		expect(await event(1)).toMatchObject({ status: 'acknowledged' });
	});

	it('takes the token of a changed secret, and for a while the one before, in the webhook processor', async () => {
		for (const webhookSecret of ['old', 'new']) {
			await n8n.updateCredential(credential, { ...sandboxCredentialData(), webhookSecret });
			await n8n.deactivateWorkflow(workflowId);
			await n8n.activateWorkflow(workflowId);
			await registered(urlWith(webhookSecret));
			expect(await event(1)).toMatchObject({ status: 'acknowledged', attempts: [{ status: 200 }] });
		}
		const post = async (secret: string) => {
			const body = JSON.stringify({ webHookType: 1, data: { statusCode: 1 } });
			const headers = { 'content-type': 'application/json' };
			return (await fetch(urlWith(secret), { method: 'POST', headers, body })).status;
		};
		expect([await post('old'), await post('guess')]).toEqual([200, 401]);
	}, 180_000);

	it.each([
		['lastNode', false, [200]],
		['lastNode', true, [500, 500]],
		['onReceived', true, [200]],
	] as const)(
		'with Respond %s, a workflow that fails (%s) is answered with %j',
		async (responseMode, fails, statuses) => {
			await sandbox().control('PATCH', '/settings', {
				deliveries: { retries: 1, backoffSeconds: [0.1] },
			});
			const content = triggerWorkflow('Respond', credential, {
				...{ path: 'respond', events: ['smsStatus'], options: { responseMode } },
			});
			const nodes = content.nodes.map((node) =>
				node.name === 'End' && fails
					? {
							...node,
							type: 'n8n-nodes-base.stopAndError',
							parameters: { errorMessage: 'As the test wants it' },
						}
					: node,
			);
			const { id } = await n8n.createWorkflow({ ...content, nodes });
			expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
			const { attempts } = await event(1);
			expect(attempts.map(({ status }) => status)).toEqual(statuses);
			await n8n.deleteWorkflow(id);
			await sandbox().control('POST', '/reset');
		},
	);
});
