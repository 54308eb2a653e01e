import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { freePort } from '../../../host/ports.ts';
import { poll } from '../../../host/poll.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox.ts';
import { host } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { n8nDifferences } from '../support/versions.ts';
import {
	createCredential,
	runAction,
	sandboxCredentialData,
	triggerName,
	triggerWorkflow,
} from '../support/workflows.ts';

/** The table of docs/trigger.md: what is registered after each thing that can happen. */
function documentedStates(): Map<string, string> {
	const page = readFileSync(path.resolve('docs', 'trigger.md'), 'utf8');
	const [, table = ''] = /<!-- registration table -->([\s\S]*?)<!-- end -->/.exec(page) ?? [];
	const rows = table
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.slice(2)
		.map((line) => line.split('|').map((cell) => cell.trim()));
	return new Map(rows.map(([, event = '', state = '']) => [event, state]));
}

describe('the registration, in the life of a workflow', () => {
	const documented = documentedStates();
	const differences = n8nDifferences();
	const checked = new Set<string>();
	const n8n = new OwnN8n('n8n-lifecycle', differences.flood);
	let port = 0;
	let sandbox: Sandbox;
	let credential: CredentialSummary;
	const ids: Record<string, string> = {};
	/** The Webhook Secret of the credential. */
	let secret = '';

	const otherUrl = 'https://crm.example.com/in';
	const production = (name = 'life') => `${n8n.url}/webhook/${name}`;

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
		const [bare = '', token] = (url ?? '').split('?token=');
		const words = new Map<string, string>([
			['', 'nothing'],
			[production(), 'production URL'],
			[production('moved'), 'new production URL'],
			[production('second'), 'URL of the second workflow'],
			[otherUrl, 'the other URL'],
		]);
		const word = words.get(bare) ?? `something else: ${String(url)}`;
		if (token === undefined) return word;
		const expected = createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');
		return `${word} with ${token === expected ? 'the new' : 'another'} token`;
	}

	/** Waits for what the table says: n8n and the trigger do much after they have answered. */
	async function expectState(row: string, timeout = 20_000): Promise<void> {
		const expected = documented.get(row);
		if (expected === undefined) throw new Error(`docs/trigger.md does not tell about "${row}"`);
		checked.add(row);
		await poll(async () => ((await state()) === expected ? true : undefined), {
			what: `the state after "${row}": ${expected}`,
			timeout,
		}).catch(async (error: unknown) => {
			expect({ row, state: await state() }).toEqual({ row, state: expected });
			throw error;
		});
	}

	const history = async () => (await sandbox.webhook()).history.map(({ url }) => url);

	/** The same, where nothing is to change: long enough for a call that ought not to come. */
	async function expectUntouched(row: string, change: () => Promise<unknown>): Promise<void> {
		const before = await history();
		await change();
		await sleep(6000);
		await expectState(row);
		expect(await history()).toEqual(before);
	}

	/** Restarts n8n, and waits until it has registered a URL again. */
	async function restart(end: 'stop' | 'kill'): Promise<string[]> {
		const { length } = await history();
		await n8n[end]();
		await n8n.start();
		return await poll(
			async () => {
				const told = (await history()).slice(length);
				return told.length > 0 ? told.map(String) : undefined;
			},
			{ what: 'the registration after the start', timeout: 60_000 },
		);
	}

	const event = async () =>
		(await sandbox.event({ webHookType: 1, data: { statusCode: 1 } })).status;

	async function create(name: string): Promise<void> {
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow(name, credential, { path: name, events: ['smsStatus'] }),
		);
		ids[name] = id;
	}

	async function changeTrigger(change: Record<string, unknown>): Promise<void> {
		const { nodes } = await n8n.client.workflow(String(ids.life));
		await n8n.client.updateWorkflow(String(ids.life), {
			nodes: nodes.map((node) =>
				node.name === triggerName
					? { ...node, parameters: { ...node.parameters, ...change } }
					: node,
			),
		});
	}

	const publish = async (name: string) => await n8n.client.activateWorkflow(String(ids[name]));
	const unpublish = async (name: string) => await n8n.client.deactivateWorkflow(String(ids[name]));

	beforeAll(async () => {
		port = await freePort();
		await startService();
		await n8n.start();
		credential = await createCredential(n8n.client, 'Lifecycle', {
			baseUrl: sandbox.url,
			headerSecret: sandbox.apiKey,
		});
		await create('life');
		await create('second');
	}, 120_000);

	afterAll(async () => {
		await n8n.end();
		await sandbox.stop();
	}, 60_000);

	it('follows publishing, restart and kill', async () => {
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await expectState('publish');
		expect(await restart('stop')).toEqual([production()]);
		await expectState('restart n8n');
		expect(await event()).toBe('acknowledged');
		// The service has lost its data meanwhile.
		await sandbox.registerWebhook('');
		await restart('kill');
		await expectState('restart n8n');
		expect(await event()).toBe('acknowledged');
	}, 180_000);

	it('is left alone while the editor listens, which shows a sample', async () => {
		await expectUntouched('listen in the editor', async () => {
			const [last] = await n8n.client.executionIds(String(ids.life), 1);
			await n8n.client.listen(String(ids.life), triggerName);
			const id = await poll(
				async () => {
					const [newest] = await n8n.client.executionIds(String(ids.life), 1);
					return newest === last ? undefined : newest;
				},
				{ what: 'the test execution', timeout: 30_000 },
			);
			const execution = await n8n.client.finishedExecution(id);
			expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
			expect(execution.items(triggerName)).toMatchObject([
				{ json: { event: 'smsStatus', status: 'Delivered', sample: true } },
			]);
			await n8n.client.listen(String(ids.life), triggerName);
			await n8n.client.stopListening(String(ids.life));
		});
	}, 90_000);

	it('follows a changed path without a moment without a URL', async () => {
		const { length } = await history();
		await changeTrigger({ path: 'moved' });
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await expectState('change the Path and publish');
		expect(await event()).toBe('acknowledged');
		await changeTrigger({ path: 'life' });
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await sleep(5000);
		const told = (await history()).slice(length);
		expect(new Set(told)).toEqual(new Set([production('moved'), production()]));
	}, 60_000);

	it('gets the token of a changed secret when it is published again', async () => {
		secret = 'a secret';
		await n8n.client.updateCredential(credential, {
			...sandboxCredentialData(),
			...{ baseUrl: sandbox.url, headerSecret: sandbox.apiKey, webhookSecret: secret },
		});
		await unpublish('life');
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await expectState('change the Webhook Secret, unpublish and publish');
		expect(await event()).toBe('acknowledged');
		secret = '';
		await n8n.client.updateCredential(credential, {
			...sandboxCredentialData(),
			...{ baseUrl: sandbox.url, headerSecret: sandbox.apiKey },
		});
		await unpublish('life');
		await publish('life');
		await expectState('publish');
	}, 60_000);

	it('belongs to the workflow that was published last, also after a restart', async () => {
		await publish('second');
		await expectState('publish a second workflow');
		expect(readFileSync(n8n.logFile, 'utf8')).toMatch(
			/The workflow "life" receives no more events/,
		);
		expect(await restart('kill')).toEqual([production('second')]);
		await sleep(6000);
		await expectState('restart n8n with both published');
		await unpublish('second');
		await expectState('unpublish the second workflow');
		expect(await event()).toBe('acknowledged');
	}, 120_000);

	it('is registered once the service is back, and publishing says that it is down', async () => {
		await sandbox.stop();
		await n8n.kill();
		await n8n.start();
		await sleep(6000);
		await startService();
		await sandbox.registerWebhook('');
		await expectState('restart n8n while the service is down', 90_000);
		await unpublish('life');
		await expectState('unpublish the only workflow');

		await sandbox.stop();
		const failed = await publish('life');
		expect(failed.status).toBe('failed');
		expect(failed.triggers[0]?.errorMessage).toMatch(differences.serviceDown);
		await startService();
		await expectUntouched('publish while the service is down', async () => await unpublish('life'));
	}, 240_000);

	it('is what the user registers with the action node, until a workflow is published', async () => {
		await publish('life');
		await expectState('publish');
		const set = { resource: 'webhook', operation: 'set', webHookUrl: otherUrl };
		expect((await runAction(n8n.client, 'Set', credential, [{}], set)).status).toBe('success');
		await expectState('Webhook: Set of another URL');
		await expectUntouched('then unpublish', async () => {
			await unpublish('life');
		});
	}, 60_000);

	it('stays when the registration becomes manual', async () => {
		await publish('life');
		await expectState('publish');
		await changeTrigger({ options: { registration: 'manual' } });
		await expectUntouched('change Registration to Manual and publish', async () => {
			await publish('life');
			await unpublish('life');
		});
	}, 60_000);

	it('is told in full: every row of the table was checked', () => {
		expect([...checked].sort()).toEqual([...documented.keys()].sort());
	});
});
