import { difference } from 'lodash';
import type { Execution, N8nClient, WorkflowContent, WorkflowNode } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { countedService, rows, sendRow as send } from './support/countedService.ts';
import { loggedIn } from './support/host.ts';
import { OwnN8n } from './support/ownN8n.ts';
import { actionName, actionWorkflow, chain, createCredential } from './support/workflows.ts';

/** What is promised of Retry in the list of executions, shown in a real n8n that is killed. */

const service = countedService();

/** The rows that were accepted, in ascending order. */
const accepted = () =>
	service.accepted.map(({ body }) => Number(String(body.message).slice(1))).sort((a, b) => a - b);

/** @param path of a webhook that starts it; without it, it is started by hand */
async function newWorkflow(n8n: N8nClient, count: number, path?: string): Promise<string> {
	const credential = await createCredential(n8n, 'Retries', { baseUrl: service.url });
	const content = actionWorkflow('Retries', credential, rows(count), send);
	const [start] = content.nodes;
	if (start !== undefined && path !== undefined) {
		Object.assign(start, { type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path });
		start.parameters = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
	}
	const { id } = await n8n.createWorkflow(content);
	if (path !== undefined) await n8n.activateWorkflow(id);
	return id;
}

/** The workflow with a request to the service before its other nodes. */
function afterRequest(content: WorkflowContent): WorkflowContent {
	const [start, ...others] = content.nodes;
	if (start === undefined) return content;
	const request: WorkflowNode = {
		...{ id: 'request', name: 'Request', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
		...{ position: [100, 0], parameters: { url: `${service.url}/voice` } },
	};
	const nodes = [start, request, ...others];
	return { ...content, nodes, connections: chain(...nodes.map(({ name }) => name)) };
}

describe('each failed execution can be retried once', () => {
	let n8n: N8nClient;
	beforeAll(async () => {
		n8n = await loggedIn();
	});

	it('a second retry sends nothing and says which execution to retry', async () => {
		const id = await newWorkflow(n8n, 12);
		service.decide = ({ body }) => (body.message === 'm5' ? 'reject' : 'accept');
		const failed = await n8n.runWorkflow(id, 'Start');
		expect(failed.status).toBe('error');
		const [first, second] = await Promise.all([
			n8n.retryExecution(failed.id),
			n8n.retryExecution(failed.id),
		]);
		const refused = [first, second].filter(({ error }) =>
			/was retried before/.test(error?.message ?? ''),
		);
		expect(refused).toHaveLength(1);
		const winner = [first, second].find((each) => !refused.includes(each));
		const third = await n8n.retryExecution(failed.id);
		expect(third.error?.message).toBe(
			`Execution ${failed.id} was retried before, so this retry sent nothing`,
		);
		expect(third.error?.description).toContain(`a retry of ${failed.id}.`);
		service.decide = () => 'accept';
		const last = await n8n.retryExecution(String(winner?.id));
		expect(last.error).toBeUndefined();
		expect(accepted()).toEqual(rows(12).map((_, row) => row));
	});

	it('the last try of Retry On Fail leaves nothing that keeps a later execution with one of its people from its retry', async () => {
		const credential = await createCredential(n8n, 'Last Try', { baseUrl: service.url });
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const [shared = {}, ...others] = rows(12);
		const workflowOf = (items: Record<string, unknown>[]) =>
			afterRequest(actionWorkflow('Last Try', credential, items, send, tries));
		const { id } = await n8n.createWorkflow(workflowOf([shared, ...others]));
		service.decide = ({ body }) => (body.message === 'm5' ? 'reject' : 'accept');
		const failed = await n8n.runWorkflow(id, 'Start');
		expect(failed.error?.description).toContain('item 5');

		await n8n.updateWorkflow(id, workflowOf([shared, ...rows(23).slice(12)]));
		service.decide = () => 'reject';
		const later = await n8n.runWorkflow(id, 'Start');
		expect([later.status, Object.keys(later.runData)]).toEqual(['error', ['Start', 'Request']]);
		service.decide = () => 'accept';
		const retried = await n8n.retryExecution(later.id);
		expect(retried.error).toBeUndefined();
		expect(retried.items(actionName)).toHaveLength(12);
	});
});

describe('an n8n that is killed', () => {
	jest.setTimeout(240_000);

	const own = new OwnN8n('retries');
	beforeAll(async () => {
		await own.start();
	});
	afterAll(async () => {
		await own.stop();
	});

	/** Kills n8n after so many messages. @returns the execution as n8n shows it after its restart */
	async function killedAfter(
		messages: number,
		workflow: string,
		start: () => Promise<unknown>,
	): Promise<Execution> {
		const earlier = await own.client.executionIds(workflow);
		let isHanging = false;
		service.decide = () => {
			isHanging ||= service.accepted.length >= messages;
			return isHanging ? 'hang' : 'accept';
		};
		// n8n responds to a retry when it has ended.
		start().catch(() => undefined);
		await poll(() => isHanging || undefined, {
			what: 'the messages before n8n is killed',
			timeout: 60_000,
		});
		await own.kill();
		service.decide = () => 'accept';
		await own.start();
		// n8n 1 lists it a while after its start.
		const killed = await poll(
			async () => difference(await own.client.executionIds(workflow), earlier)[0],
			{ what: 'the killed execution in the list', timeout: 60_000 },
		);
		return await own.client.finishedExecution(killed);
	}

	it('leaves an execution whose retry sends nothing, where it sent to ten or more people', async () => {
		// n8n keeps what a production execution was started with.
		const id = await newWorkflow(own.client, 30, 'killed');
		const killed = await killedAfter(8, id, async () =>
			fetch(`${own.url}/webhook/killed`, { method: 'POST' }),
		);
		const before = accepted();
		const retried = await own.client.retryExecution(killed.id);
		expect(retried.error?.message).toBe(
			'An earlier execution with these rows was interrupted while it sent',
		);
		expect(accepted()).toEqual(before);
		// New executions never look.
		await fetch(`${own.url}/webhook/killed`, { method: 'POST' });
		await poll(async () => accepted().length === before.length + 30 || undefined, {
			what: 'a new execution to send',
			timeout: 60_000,
		});
	});

	it('leaves a retry that no other one repeats', async () => {
		const id = await newWorkflow(own.client, 40);
		service.decide = ({ body }) => (body.message === 'm3' ? 'reject' : 'accept');
		const failed = await own.client.runWorkflow(id, 'Start');
		const sent = service.accepted.length;
		const killed = await killedAfter(sent + 2, id, async () =>
			own.client.retryExecution(failed.id),
		);
		expect(killed.id).not.toBe(failed.id);
		const before = accepted();
		expect(new Set(before).size).toBe(before.length);
		for (const execution of [killed.id, failed.id]) {
			const refused = await own.client.retryExecution(execution);
			expect(refused.error?.message).toMatch(/was retried before, so this retry sent nothing$/);
		}
		expect(accepted()).toEqual(before);
	});
});
