import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { bodies, loggedIn, postToService, sandbox } from '../e2e/support/host.ts';
import {
	actionName,
	actionWorkflow,
	createCredential,
	pollWorkflow,
	triggerName,
	triggerWorkflow,
	webhookUrl,
} from '../e2e/support/workflows.ts';
import { modelService } from '../support/modelService.ts';
import { sendEvents } from '../support/eventSender.ts';
import { batching, executedEvents, executionsEnded, flood } from './support/flood.ts';
import { killAndStart, queueHost, start, stop } from './support/stand.ts';
import { workersOf } from './support/workers.ts';

/** What only queue mode can break, in short; the other files have all of it. */
describe('promises in queue mode, with two workers', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Queue');
	});

	/** The first execution of a workflow, once there is one, when it has ended. */
	async function firstExecution(workflowId: string) {
		const id = await poll(async () => (await n8n.executionIds(workflowId)).at(-1), {
			what: 'an execution',
			timeout: 120_000,
		});
		return await n8n.finishedExecution(id);
	}

	it('an event arrives through the webhook processor and runs in a worker', async () => {
		const path = 'queue-event';
		const content = triggerWorkflow(path, credential, { path, events: ['smsStatus'] });
		const { id } = await n8n.createWorkflow(content);
		expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
		expect((await sandbox().webhook()).url).toBe(webhookUrl(queueHost().n8nUrl, path));
		const event = { webHookType: 1, data: { statusCode: 1 } };
		expect(await sandbox().event(event)).toMatchObject({
			status: 'acknowledged',
			attempts: [{ status: 200 }],
		});
		const execution = await firstExecution(id);
		expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
		expect(execution.items(triggerName)).toMatchObject([
			{ json: { event: 'smsStatus', statusCode: 1 } },
		]);
		expect(await workersOf(execution.id)).toHaveLength(1);
		await n8n.deactivateWorkflow(id);
		await poll(async () => ((await sandbox().webhook()).url === null ? true : undefined), {
			what: 'the URL to be removed',
			timeout: 120_000,
		});
	});

	it('each workflow gets each event, with two webhook processors and over a restart of one', async () => {
		const own = await createCredential(n8n, 'Shared', { webhookSecret: 'shared' });
		const paths = ['shared-1', 'shared-2', 'shared-3'];
		const ids = new Map<string, string>();
		const publish = async (path: string) => {
			const content = triggerWorkflow(path, own, { path, events: ['smsStatus'] });
			const { id } = await n8n.createWorkflow(content);
			ids.set(path, id);
			expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
		};
		const url = webhookUrl(queueHost().n8nUrl, 'shared-1', 'shared');
		await publish('shared-1');
		await start('webhook2');
		// Each processor knows the first workflow by now: it has to learn of the others.
		expect((await sendEvents({ url, count: 10, connections: 4 })).acknowledged.size).toBe(10);
		await publish('shared-2');
		await publish('shared-3');
		expect((await sandbox().webhook()).url).toBe(url);
		let restarted: Promise<void> | undefined;
		const count = 200;
		const { acknowledged } = await sendEvents({
			...{ url, count, first: 100, connections: 20, tries: 100 },
			onAcknowledged: (total) => {
				if (total >= count / 2) restarted ??= killAndStart('webhook2');
			},
		});
		await restarted;
		expect(acknowledged.size).toBe(count);
		for (const path of paths) {
			const id = String(ids.get(path));
			await executionsEnded(id);
			const found = new Set(await executedEvents(id));
			const missing = [...acknowledged.keys()].filter((number) => !found.has(number));
			expect([path, missing]).toEqual([path, []]);
			await n8n.deactivateWorkflow(id);
		}
		await stop('webhook2');
	}, 400_000);

	it.each([
		['one by one', {}, 100],
		['in batches', batching, 500],
	])('every event is executed once: %s', async (name, trigger, count) => {
		const result = await flood(n8n, {
			name: `queue-${name.replaceAll(' ', '-')}`,
			trigger,
			count,
			connections: 20,
		});
		expect(result).toMatchObject({ acknowledged: count, executed: count, lost: 0, doubled: 0 });
	});

	it('a retry in another worker sends only what was not sent', async () => {
		const service = modelService();
		await service.start();
		const own = await createCredential(n8n, 'Queue Retry', { baseUrl: service.url });
		const rows = Array.from({ length: 20 }, (_, row) => ({
			phone: `+44770090${String(row).padStart(4, '0')}`,
		}));
		const content = actionWorkflow('Queue Retry', own, rows, {
			...{ resource: 'smsMessage', operation: 'send', sender: 'Shop', message: 'Hello' },
			phoneNumber: '={{ $json.phone }}',
		});
		const { id } = await n8n.createWorkflow(content);
		try {
			const refused = rows[9]?.phone;
			service.decide = ({ body }) => (body.phoneNumber === refused ? 'reject' : 'accept');
			const failed = await n8n.runWorkflow(id, 'Start');
			expect(failed.status).toBe('error');
			expect(service.accepted.length).toBeGreaterThan(0);
			service.decide = () => 'accept';
			const retried = await n8n.retryExecution(failed.id);
			expect(retried.status).toBe('success');
			expect(retried.items(actionName)).toHaveLength(rows.length);
			expect(service.accepted.map(({ body }) => body.phoneNumber).sort()).toEqual(
				rows.map(({ phone }) => phone),
			);
			for (const execution of [failed, retried]) {
				expect(await workersOf(execution.id)).toHaveLength(1);
			}
		} finally {
			await service.stop();
		}
	});

	it('a later run in another worker texts nobody twice, with Hours Between Texts', async () => {
		const own = await createCredential(n8n, 'Queue Hours', {
			...{ clientId: '7303', serviceConventions: true, serviceTimeZone: 'UTC' },
			...{ sendingPolicy: true, hoursBetweenTexts: 20 },
		});
		const people = ['+447700900201', '+447700900202'];
		const content = actionWorkflow(
			'Queue Hours',
			own,
			people.map((phoneNumber) => ({ phoneNumber })),
			{
				...{ resource: 'smsMessage', operation: 'send', sender: 'Shop', message: 'Once' },
				phoneNumber: '={{ $json.phoneNumber }}',
			},
			{ onError: 'continueErrorOutput' },
		);
		const { id } = await n8n.createWorkflow(content);
		const first = await n8n.runWorkflow(id, 'Start');
		expect(first.items(actionName)).toHaveLength(people.length);
		const workers = new Set(await workersOf(first.id));
		for (let runs = 0; workers.size < 2 && runs < 30; runs++) {
			const again = await n8n.runWorkflow(id, 'Start');
			const leftOut = again.items(actionName, 1).map(({ json }) => json.phoneNumber);
			expect(leftOut).toEqual(people);
			for (const worker of await workersOf(again.id)) workers.add(worker);
		}
		expect(workers.size).toBe(2);
		const texts = await bodies<{ message: string }>();
		expect(texts.filter(({ message }) => message === 'Once')).toHaveLength(people.length);
	});

	it('the main process polls, and each result starts the workflow once, in a worker', async () => {
		const name = 'Poll';
		const content = pollWorkflow(name, credential, { events: ['smsStatus'] });
		const { id } = await n8n.createWorkflow(content);
		expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
		const sendAndWait = async (count: number) => {
			const phoneNumber = `+4477009001${String(10 + count)}`;
			await postToService('SMSMessages', { phoneNumber, message: 'Hello', sender: 'Shop' });
			return await poll(
				async () => {
					const executions = await Promise.all(
						(await n8n.executionIds(id)).map(async (each) => await n8n.execution(each)),
					);
					const numbers = executions.flatMap((execution) =>
						execution.items(name).map(({ json }) => json.phoneNumber),
					);
					return numbers.length >= count ? { executions, numbers } : undefined;
				},
				{ what: `${String(count)} results`, timeout: 120_000 },
			);
		};
		await sendAndWait(1);
		await sendAndWait(2);
		// What would come twice comes before the last one.
		const { executions, numbers } = await sendAndWait(3);
		expect(numbers.sort()).toEqual(['+447700900111', '+447700900112', '+447700900113']);
		for (const execution of executions) expect(await workersOf(execution.id)).toHaveLength(1);
		await n8n.deleteWorkflow(id);
	});
});
