import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { freePort } from '../../../host/ports.ts';
import { poll } from '../../../host/poll.ts';
import { startSandbox, type Sandbox } from '../../../host/sandbox.ts';
import { host } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { n8nDifferences } from '../support/versions.ts';
import {
	createCredential,
	runAction,
	triggerName,
	triggerWorkflow,
	webhookUrl,
} from '../support/workflows.ts';

/**
 * The rows of the table in docs/trigger.md that promisesOfTriggers.test.ts does not show, each after
 * the ones before it.
 */
describe('the registration, in the life of a workflow', () => {
	const differences = n8nDifferences();
	const n8n = new OwnN8n('n8n-lifecycle', differences.flood);
	let port = 0;
	let sandbox: Sandbox;
	let credential: CredentialSummary;
	let id = '';

	const production = (name = 'life') => webhookUrl(n8n.url, name);
	const publish = async () => await n8n.client.activateWorkflow(id);
	const unpublish = async () => await n8n.client.deactivateWorkflow(id);
	const history = async () => (await sandbox.webhook()).history.map(({ url }) => url);

	async function startService(): Promise<void> {
		port = await freePort(port);
		const database = path.join(host().folder, 'lifecycle.sqlite');
		sandbox = await startSandbox({ port, database });
	}

	/** Waits for a registration: n8n and the trigger do much after they have responded. */
	async function registered(url: string | null, timeout = 20_000): Promise<void> {
		await poll(async () => ((await sandbox.webhook()).url === url ? true : undefined), {
			what: `the registration of ${String(url)}`,
			timeout,
		});
	}

	/** What changes no registration: long enough for a request that ought not to come. */
	async function untouched(change: () => Promise<unknown>): Promise<void> {
		const before = await history();
		await change();
		await sleep(6000);
		expect(await history()).toEqual(before);
	}

	async function changeTrigger(change: Record<string, unknown>): Promise<void> {
		const { nodes } = await n8n.client.workflow(id);
		const changed = nodes.map((node) =>
			node.name === triggerName ? { ...node, parameters: { ...node.parameters, ...change } } : node,
		);
		await n8n.client.updateWorkflow(id, { nodes: changed });
	}

	const credentialData = () => ({ baseUrl: sandbox.url, headerSecret: sandbox.apiKey });

	async function expectEvent(): Promise<void> {
		const { status } = await sandbox.event({ webHookType: 1, data: { statusCode: 1 } });
		expect(status).toBe('acknowledged');
	}

	beforeAll(async () => {
		port = await freePort();
		await startService();
		await n8n.start();
		credential = await createCredential(n8n.client, 'Lifecycle', credentialData());
		const life = triggerWorkflow('life', credential, { path: 'life', events: ['smsStatus'] });
		({ id } = await n8n.client.createWorkflow(life));
		await publish();
		await registered(production());
	}, 120_000);

	afterAll(async () => {
		await n8n.stop();
		await sandbox.stop();
	}, 60_000);

	it('follows a changed path without a moment without a URL', async () => {
		const { length } = await history();
		await changeTrigger({ options: { path: 'moved' } });
		await publish();
		await registered(production('moved'));
		await expectEvent();
		await changeTrigger({ options: { path: 'life' } });
		await publish();
		await registered(production());
		await sleep(5000);
		const told = (await history()).slice(length);
		expect(new Set(told)).toEqual(new Set([production('moved'), production()]));
	}, 60_000);

	it('is made once the service is back, and publishing says that it is down', async () => {
		await sandbox.stop();
		await n8n.kill();
		await n8n.start();
		await sleep(6000);
		await startService();
		await sandbox.registerWebhook('');
		await registered(production(), 90_000);
		await unpublish();
		await registered(null);

		await sandbox.stop();
		const failed = await publish();
		expect(failed.status).toBe('failed');
		expect(failed.triggers[0]?.errorMessage).toMatch(differences.serviceDown);
		await startService();
		await untouched(unpublish);
		await registered(null);
	}, 240_000);

	it('is what the user registers with the action node, until a workflow is published or unpublished', async () => {
		await publish();
		await registered(production());
		const webHookUrl = 'https://crm.example.com/in';
		const set = { resource: 'webhook', operation: 'set', webHookUrl };
		expect((await runAction(n8n.client, 'Set', credential, [{}], set)).status).toBe('success');
		await registered(webHookUrl);
		await unpublish();
		await registered(null);
	}, 60_000);

	it('stays when the registration becomes manual', async () => {
		await publish();
		await registered(production());
		await changeTrigger({ options: { path: 'life', registration: 'manual' } });
		await untouched(async () => {
			await publish();
			await unpublish();
		});
	}, 60_000);
});
