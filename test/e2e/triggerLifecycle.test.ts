import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CredentialSummary } from '../../host/n8nClient.ts';
import { freePort } from '../../host/ports.ts';
import { poll } from '../../host/poll.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { host, loggedIn, sandbox as sharedSandbox } from './support/host.ts';
import { OwnN8n } from './support/ownN8n.ts';
import { n8nDifferences, n8nMajor } from './support/versions.ts';
import { createCredential, triggerName, triggerWorkflow } from './support/workflows.ts';

/**
 * The table of docs/trigger.md: what is registered after each thing that can happen. The last
 * column is for n8n 1, where that differs.
 */
function documentedStates(): Map<string, string> {
	const page = readFileSync(path.resolve('docs', 'trigger.md'), 'utf8');
	const [, table = ''] = /<!-- registration table -->([\s\S]*?)<!-- end -->/.exec(page) ?? [];
	const rows = table
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.slice(2)
		.map((line) => line.split('|').map((cell) => cell.trim()));
	return new Map(
		rows.map(([, event = '', state = '', inN8n1 = '']) => [
			event,
			n8nMajor() === 1 && inN8n1 !== '' ? inN8n1 : state,
		]),
	);
}

/** What n8n does in these tests takes a while: it tries a failing registration for 15 s. */
const patience = { timeout: 60_000 };

describe('the registration, in the life of a workflow', () => {
	const documented = documentedStates();
	const differences = n8nDifferences();
	const checked = new Set<string>();
	const n8n = new OwnN8n('n8n-lifecycle');
	let port: number;
	let sandbox: Sandbox;
	let credential: CredentialSummary;
	const ids: Record<string, string> = {};

	const production = (name = 'life') => `${n8n.url}/webhook/${name}`;
	const testUrl = () => `${n8n.url}/webhook-test/life`;

	async function startService(): Promise<void> {
		port = await freePort(port);
		sandbox = await startSandbox({
			port,
			database: path.join(host().folder, 'lifecycle.sqlite'),
		});
	}

	/** What is registered now, in the words of the table. */
	async function state(): Promise<string> {
		const { url } = await sandbox.webhook();
		const words = new Map<string | null, string>([
			[null, 'nothing'],
			[production(), 'production URL'],
			[testUrl(), 'test URL'],
			[production('moved'), 'new production URL'],
			[production('second'), 'URL of the second workflow'],
			['https://crm.example.com/in', 'the other URL'],
		]);
		return words.get(url) ?? `something else: ${String(url)}`;
	}

	/** Waits for what the table says: listening ends after n8n has answered. */
	async function expectState(event: string): Promise<void> {
		const expected = documented.get(event);
		if (expected === undefined) throw new Error(`docs/trigger.md does not tell about "${event}"`);
		checked.add(event);
		await poll(async () => ((await state()) === expected ? true : undefined), {
			what: `the state after "${event}": ${expected}`,
			timeout: 15_000,
		}).catch(async (error: unknown) => {
			expect({ event, state: await state() }).toEqual({ event, state: expected });
			throw error;
		});
	}

	/**
	 * Listening until n8n ends it, after two minutes: beside the other tests, so on the n8n and, for
	 * another client, on the sandbox that all tests share.
	 */
	const timeOut = {
		async begin() {
			const shared = await loggedIn();
			const own = await createCredential(shared, 'Time-Out', { clientId: '1002' });
			const { id } = await shared.createWorkflow(
				triggerWorkflow('Time-Out', own, { path: 'time-out', events: ['smsStatus'] }),
			);
			expect(await shared.activateWorkflow(id)).toMatchObject({ status: 'published' });
			await shared.listen(id, triggerName);
			expect(await timeOut.url()).toBe(`${shared.url}/webhook-test/time-out`);
			timeOut.end = async () => {
				await shared.deleteWorkflow(id);
				await shared.deleteCredential(own.id);
			};
		},
		async url() {
			const { clients } = await sharedSandbox().control<{ clients: Record<string, string> }>(
				'GET',
				'/webhook',
			);
			return clients['1002'];
		},
		async isGivenBack() {
			await poll(
				async () =>
					(await timeOut.url()) === `${host().n8nUrl}/webhook/time-out` ? true : undefined,
				{ what: 'listening to end', timeout: 150_000, interval: 1000 },
			);
		},
		end: async () => Promise.resolve(),
	};

	const event = async () => await sandbox.event({ webHookType: 1, data: { statusCode: 1 } });

	async function create(name: string, parameters: Record<string, unknown>): Promise<string> {
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow(name, credential, { events: ['smsStatus'], ...parameters }),
		);
		ids[name] = id;
		return id;
	}

	async function changeTrigger(id: string, change: Record<string, unknown>): Promise<void> {
		const { nodes } = await n8n.client.workflow(id);
		await n8n.client.updateWorkflow(id, {
			nodes: nodes.map((node) =>
				node.name === triggerName
					? { ...node, parameters: { ...node.parameters, ...change } }
					: node,
			),
		});
	}

	beforeAll(async () => {
		await timeOut.begin();
		port = 0;
		await startService();
		await n8n.start();
		credential = await createCredential(n8n.client, 'Lifecycle', {
			baseUrl: sandbox.url,
			headerSecret: sandbox.apiKey,
		});
		await create('life', { path: 'life' });
	}, 120_000);

	afterAll(async () => {
		await timeOut.end();
		await n8n.end();
		await sandbox.stop();
	}, 60_000);

	it('follows activation, restart and kill', async () => {
		expect(await n8n.client.activateWorkflow(String(ids.life))).toMatchObject({
			status: 'published',
		});
		await expectState('activate');
		await n8n.stop();
		await n8n.start();
		await expectState('restart');
		expect((await event()).status).toBe('acknowledged');
		await n8n.kill();
		await n8n.start();
		await expectState('kill -9 and restart');
		expect((await event()).status).toBe('acknowledged');
		// n8n 1 says that it is ready before it has called the hooks.
		const registrations = 1 + 2 * differences.registrationsPerStart;
		await poll(
			async () => ((await sandbox.webhook()).history.length >= registrations ? true : undefined),
			{ what: `${String(registrations)} registrations`, ...patience },
		);
		expect((await sandbox.webhook()).history).toHaveLength(registrations);
	}, 180_000);

	it('is lent while the editor listens, and given back', async () => {
		const id = String(ids.life);
		await n8n.client.listen(id, triggerName);
		await expectState('test while active: listening');
		const [last] = await n8n.client.executionIds(id, 1);
		expect((await event()).status).toBe('acknowledged');
		const execution = await poll(
			async () => {
				const [newest] = await n8n.client.executionIds(id, 1);
				return newest === last ? undefined : newest;
			},
			{ what: 'the test execution', ...patience },
		);
		expect(await n8n.client.finishedExecution(String(execution))).toMatchObject({ mode: 'manual' });
		await expectState('test while active, ended by an event');
		expect((await event()).status).toBe('acknowledged');

		await n8n.client.listen(id, triggerName);
		await n8n.client.stopListening(id);
		await expectState('test while active, ended by Stop');
	}, 120_000);

	it('is left alone while the editor listens, if that is chosen', async () => {
		const id = String(ids.life);
		await changeTrigger(id, { whileListening: 'leave' });
		const before = (await sandbox.webhook()).history.length;
		await n8n.client.listen(id, triggerName);
		await expectState('test while active, registration left alone');
		await n8n.client.stopListening(id);
		expect((await sandbox.webhook()).history).toHaveLength(before);
		await changeTrigger(id, { whileListening: 'borrow' });
	});

	it('is not touched by a copy of the workflow, which n8n refuses to publish', async () => {
		const copy = await create('copy', { path: 'life' });
		const refusal = await n8n.client.activateWorkflow(copy).then(
			({ triggers }) => triggers[0]?.errorMessage,
			(error: unknown) => String(error),
		);
		expect(refusal).toMatch(differences.pathTaken);
		await expectState('activate a duplicate with the same path');
	}, 60_000);

	it('follows a changed path', async () => {
		const id = String(ids.life);
		await changeTrigger(id, { path: 'moved' });
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		await expectState('change the path and publish');
		expect((await event()).status).toBe('acknowledged');
		await changeTrigger(id, { path: 'life' });
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
	}, 60_000);

	it('belongs to the workflow that was published last', async () => {
		const second = await create('second', { path: 'second' });
		await n8n.client.activateWorkflow(second);
		await expectState('activate a second workflow with another path');
		await n8n.client.deactivateWorkflow(String(ids.life));
		await expectState('then deactivate the first one');
		await n8n.client.deactivateWorkflow(second);
		await expectState('then deactivate the second one');
	}, 90_000);

	it('is taken for a test while inactive, and points to the production URL afterwards', async () => {
		const id = String(ids.life);
		await n8n.client.listen(id, triggerName);
		expect((await event()).status).toBe('acknowledged');
		await expectState('test while inactive');
		await sandbox.registerWebhook('');
	});

	it('is what the user wants after deactivation', async () => {
		const id = String(ids.life);
		for (const [name, change] of [
			['deactivate, URL removed', { onDeactivation: 'remove' }],
			['deactivate, URL kept', { onDeactivation: 'keep' }],
			[
				'deactivate, another URL set',
				{ onDeactivation: 'replace', replacementUrl: 'https://crm.example.com/in' },
			],
		] as const) {
			await changeTrigger(id, change);
			expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
			await n8n.client.deactivateWorkflow(id);
			await expectState(name);
		}
		await changeTrigger(id, { onDeactivation: 'remove' });
		await sandbox.registerWebhook('');
	}, 120_000);

	it('comes when the service comes back', async () => {
		const id = String(ids.life);
		await sandbox.stop();
		const failed = await n8n.client.activateWorkflow(id);
		expect(failed.status).toBe('failed');
		expect(failed.triggers[0]?.errorMessage).toMatch(differences.serviceDown);
		await startService();
		await expectState('activate while the service is down');
		await n8n.client.deactivateWorkflow(id);
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		await expectState('activate again once it is back');
		await n8n.client.deactivateWorkflow(id);

		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			times: 2,
			fault: { kind: 'status', status: 503 },
		});
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({
			status: differences.triesPublishingAgain ? 'published' : 'failed',
		});
		await expectState('activate while the service is down for some seconds');
		await sandbox.clearFaults();
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
	}, 180_000);

	it('stays when the service refuses to remove it, and n8n says so', async () => {
		const id = String(ids.life);
		await sandbox.fault({
			match: { path: 'UpdateWebHook' },
			times: 'always',
			fault: { kind: 'status', status: 503 },
		});
		await n8n.client.deactivateWorkflow(id);
		await expectState('deactivate while the service is down');
		const log = readFileSync(n8n.logFile, 'utf8');
		expect(log).toMatch(differences.cleanUpFailed);
		await sandbox.clearFaults();
	}, 60_000);

	it('is given back when listening ends by time-out', async () => {
		const name = 'test while active, ended by time-out';
		checked.add(name);
		expect(documented.get(name)).toBe('production URL');
		await timeOut.isGivenBack();
	}, 180_000);

	it('is told in full: every row of the table was checked', () => {
		expect([...checked].sort()).toEqual([...documented.keys()].sort());
	});
});
