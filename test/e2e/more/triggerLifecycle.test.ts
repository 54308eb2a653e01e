import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialSummary, Execution } from '../../../host/n8nClient.ts';
import { freePort, lastingPort } from '../../../host/ports.ts';
import { poll } from '../../../host/poll.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox.ts';
import { host, loggedIn, sandbox as sharedSandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { n8nDifferences, n8nMajor } from '../support/versions.ts';
import {
	createCredential,
	runAction,
	sandboxCredentialData,
	triggerName,
	triggerWorkflow,
} from '../support/workflows.ts';

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
	const n8n = new OwnN8n('n8n-lifecycle', differences.flood);
	let port: number;
	let sandbox: Sandbox;
	let credential: CredentialSummary;
	const ids: Record<string, string> = {};
	/** The Webhook Secret of the credential. */
	let secret = '';

	async function setSecret(webhookSecret: string): Promise<void> {
		secret = webhookSecret;
		await n8n.client.updateCredential(credential, {
			...sandboxCredentialData(),
			...{ baseUrl: sandbox.url, headerSecret: sandbox.apiKey, webhookSecret },
		});
	}

	const otherUrl = 'https://crm.example.com/in';
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
		const [bare = '', token] = (url ?? '').split('?token=');
		const words = new Map<string, string>([
			['', 'nothing'],
			[production(), 'production URL'],
			[testUrl(), 'test URL'],
			[production('moved'), 'new production URL'],
			[production('second'), 'URL of the second workflow'],
			[production('third'), 'URL of the third workflow'],
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

	/** The same, where nothing is to change: long enough for a call that ought not to come. */
	async function expectUntouched(row: string, change: () => Promise<unknown>): Promise<void> {
		const before = (await sandbox.webhook()).history.length;
		await change();
		await sleep(6000);
		await expectState(row);
		expect((await sandbox.webhook()).history).toHaveLength(before);
	}

	/** Listening until n8n ends it after two minutes: beside the other tests, for another client. */
	const timeOut = {
		client: '1002',
		async url() {
			const { clients } = await sharedSandbox().control<{ clients: Record<string, string> }>(
				'GET',
				'/webhook',
			);
			return clients[timeOut.client];
		},
		async begin() {
			const shared = await loggedIn();
			const own = await createCredential(shared, 'Time-Out', { clientId: timeOut.client });
			const content = triggerWorkflow('Time-Out', own, {
				...{ path: 'time-out', events: ['smsStatus'] },
				options: { whileListening: 'redirect' },
			});
			const { id } = await shared.createWorkflow(content);
			expect(await shared.activateWorkflow(id)).toMatchObject({ status: 'published' });
			await shared.listen(id, triggerName);
			expect(await timeOut.url()).toBe(`${shared.url}/webhook-test/time-out`);
			timeOut.end = async () => {
				await shared.deleteWorkflow(id);
				await shared.deleteCredential(own.id);
			};
		},
		async isRestored() {
			await poll(
				async () =>
					(await timeOut.url()) === `${host().n8nUrl}/webhook/time-out` ? true : undefined,
				{ what: 'listening to end', timeout: 150_000, interval: 1000 },
			);
		},
		end: async () => Promise.resolve(),
	};

	const event = async () => await sandbox.event({ webHookType: 1, data: { statusCode: 1 } });

	/** The test execution that comes after the one given; one of an event may end meanwhile. */
	async function testExecution(id: string, last: string | undefined): Promise<Execution> {
		return await poll(
			async () => {
				for (const newer of await n8n.client.executionIds(id)) {
					if (newer === last) return undefined;
					const execution = await n8n.client.finishedExecution(newer);
					if (execution.mode === 'manual') return execution;
				}
				return undefined;
			},
			{ what: 'the test execution', ...patience },
		);
	}

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
		port = await lastingPort();
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

	const publish = async (name: string) => await n8n.client.activateWorkflow(String(ids[name]));
	const unpublish = async (name: string) => await n8n.client.deactivateWorkflow(String(ids[name]));
	const setOptions = async (name: string, options: Record<string, unknown>) => {
		await changeTrigger(String(ids[name]), { options });
	};
	const listen = async (name = 'life') => {
		await n8n.client.listen(String(ids[name]), triggerName);
	};
	const stopListening = async (name = 'life') => {
		await n8n.client.stopListening(String(ids[name]));
	};

	it('follows publishing, restart and kill', async () => {
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await expectState('publish');
		await n8n.stop();
		// The service has lost its data meanwhile.
		await sandbox.registerWebhook('');
		await n8n.start();
		await expectState('restart n8n');
		expect((await event()).status).toBe('acknowledged');
		await n8n.kill();
		await sandbox.registerWebhook('');
		await n8n.start();
		await expectState('kill n8n and start it again');
		expect((await event()).status).toBe('acknowledged');
	}, 180_000);

	it('is left alone while the editor listens, which shows a sample', async () => {
		const [last] = await n8n.client.executionIds(String(ids.life), 1);
		await expectUntouched('listen (Show a Sample Event)', async () => {
			await listen();
			const execution = await testExecution(String(ids.life), last);
			expect(execution.status).toBe('success');
			expect(execution.items(triggerName)).toMatchObject([
				{ json: { event: 'smsStatus', status: 'Delivered', sample: true } },
			]);
		});
		await setOptions('life', { whileListening: 'leave' });
		await expectUntouched('listen (Only Listen)', async () => {
			await listen();
			await stopListening();
		});
	}, 60_000);

	it('is redirected on demand while the editor listens, and restored', async () => {
		await setOptions('life', { whileListening: 'redirect' });
		const [last] = await n8n.client.executionIds(String(ids.life), 1);
		await listen();
		await expectState('listen (Redirect Live Events)');
		expect((await event()).status).toBe('acknowledged');
		await testExecution(String(ids.life), last);
		await expectState('redirect ended by an event');
		expect((await event()).status).toBe('acknowledged');
		await listen();
		await stopListening();
		await expectState('redirect ended by Stop');
		await setOptions('life', {});
	}, 120_000);

	it('is not touched by a copy of the workflow, which n8n refuses to publish', async () => {
		const copy = await create('copy', { path: 'life' });
		const refusal = await n8n.client.activateWorkflow(copy).then(
			({ triggers }) => triggers[0]?.errorMessage,
			(error: unknown) => String(error),
		);
		expect(refusal).toMatch(differences.pathTaken);
		await expectState('publish a copy with the same path');
	}, 60_000);

	it('follows a changed path without a moment without a URL', async () => {
		const before = (await sandbox.webhook()).history.length;
		await changeTrigger(String(ids.life), { path: 'moved' });
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await expectState('change the Path and publish');
		expect((await event()).status).toBe('acknowledged');
		await changeTrigger(String(ids.life), { path: 'life' });
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await sleep(4000);
		const told = (await sandbox.webhook()).history.slice(before).map(({ url }) => url);
		expect(new Set(told)).toEqual(new Set([production('moved'), production()]));
	}, 60_000);

	it('belongs to the workflow that was published last, also after a restart', async () => {
		for (const name of ['second', 'third']) await create(name, { path: name });
		await publish('second');
		await expectState('publish a second workflow');
		expect(readFileSync(n8n.logFile, 'utf8')).toMatch(
			/The workflow "life" receives no more events/,
		);
		await expectUntouched('listen in the first workflow', async () => {
			await listen();
		});
		await setOptions('life', { whileListening: 'redirect' });
		await expectState('change and save the first workflow');
		if (n8nMajor() === 1) {
			await changeTrigger(String(ids.second), {});
			await expectState('publish a second workflow');
		}
		await listen();
		await stopListening();
		await expectState('redirect in the first workflow, ended');
		const { length } = (await sandbox.webhook()).history;
		await n8n.kill();
		await n8n.start();
		await poll(async () => ((await sandbox.webhook()).history.length > length ? true : undefined), {
			what: 'the registration after the start',
			...patience,
		});
		await sleep(6000);
		await expectState('restart n8n with both published');
		const told = (await sandbox.webhook()).history.slice(length).map(({ url }) => url);
		expect(new Set(told)).toEqual(new Set([production('second')]));
		await publish('third');
		await expectState('publish a third workflow');
		await unpublish('second');
		await sleep(5000);
		await expectState('unpublish the second one');
		await unpublish('third');
		await expectState('unpublish the third one');
		await unpublish('life');
		await expectState('unpublish the first one');
	}, 180_000);

	it('is not redirected where n8n could not restore it', async () => {
		await n8n.stop();
		await sandbox.registerWebhook(otherUrl);
		await n8n.start();
		await expectUntouched('redirect in an unpublished workflow after a restart', async () => {
			await expect(listen()).rejects.toThrow(/which webhook URL/);
		});
		await setOptions('life', { whileListening: 'redirect', urlToRestore: otherUrl });
		await listen();
		expect(await state()).toBe('test URL');
		await stopListening();
		await expectState('redirect with URL to Restore, ended');
		await setOptions('life', {});
	}, 90_000);

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

	it('is renewed, and then taken from another system', async () => {
		await setOptions('life', { renewEveryHours: 0.003 });
		await publish('life');
		await sandbox.registerWebhook(otherUrl);
		await expectState('another system registers its URL, then the renewal comes', 30_000);
		await setOptions('life', { renewEveryHours: 0 });
		await publish('life');
		await sandbox.registerWebhook(otherUrl);
		await n8n.stop();
		await n8n.start();
		await expectUntouched('restart n8n (Renew Every 0 hours)', async () => Promise.resolve());
		await expectUntouched('then unpublish, after another system registered its URL', async () => {
			await unpublish('life');
		});
		await setOptions('life', {});
	}, 120_000);

	it('stays when the registration becomes manual', async () => {
		await publish('life');
		await setOptions('life', { registration: 'manual' });
		await expectUntouched('change Registration to Manual and publish', async () => {
			await publish('life');
		});
		await expectUntouched('unpublish (Manual)', async () => {
			await unpublish('life');
		});
		await setOptions('life', {});
	}, 60_000);

	it('is what the user wants when the workflow is unpublished', async () => {
		for (const [name, change] of [
			['unpublish (Keep the URL)', { whenUnpublished: 'keep' }],
			[
				'unpublish (Register Another URL)',
				{ whenUnpublished: 'replace', replacementUrl: otherUrl },
			],
			['unpublish (Remove the URL)', {}],
		] as const) {
			await setOptions('life', change);
			expect(await publish('life')).toMatchObject({ status: 'published' });
			await unpublish('life');
			await sleep(4000);
			await expectState(name);
		}
	}, 120_000);

	it('gets a new token within a minute, and no event is refused meanwhile', async () => {
		await publish('life');
		const { failed, noUrl } = (await sandbox.summary()).deliveries;
		const sent: ReturnType<typeof event>[] = [];
		let isOver = false;
		const flood = (async () => {
			while (!isOver) {
				sent.push(event());
				await sleep(50);
			}
		})();
		// The first one is new, the second one replaces it.
		for (const changed of ['a secret', ' another secret ']) {
			await sleep(1000);
			await setSecret(changed);
			await expectState('set or change the Webhook Secret', 60_000);
		}
		await sleep(2000);
		isOver = true;
		await flood;
		const attempts = (await Promise.all(sent)).flatMap((delivery) => delivery.attempts);
		expect(attempts.length).toBeGreaterThan(100);
		expect(attempts.filter(({ status }) => status !== 200)).toEqual([]);
		// A slow n8n still has to respond to some.
		const { deliveries } = await sandbox.idle(120);
		expect(deliveries).toMatchObject({ failed, noUrl });
		await setSecret('');
		await unpublish('life');
	}, 240_000);

	it('comes when the service comes back', async () => {
		await sandbox.stop();
		const failed = await publish('life');
		expect(failed.status).toBe('failed');
		expect(failed.triggers[0]?.errorMessage).toMatch(differences.serviceDown);
		await startService();
		await expectState('publish while the service is down');
		await unpublish('life');
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await expectState('publish again once it is back');

		await sandbox.stop();
		await changeTrigger(String(ids.life), { path: 'moved' });
		expect(await publish('life')).toMatchObject({ status: 'published' });
		await startService();
		await expectState('change the Path while the service is down', 60_000);
		expect((await event()).status).toBe('acknowledged');
		await changeTrigger(String(ids.life), { path: 'life' });
		await publish('life');

		await sandbox.stop();
		await n8n.kill();
		await n8n.start();
		await sleep(6000);
		await startService();
		await sandbox.registerWebhook('');
		await expectState('restart n8n while the service is down', 90_000);

		await sandbox.stop();
		await unpublish('life');
		await sleep(6000);
		await startService();
		await expectState('unpublish while the service is down', 90_000);
	}, 400_000);

	it('is restored when listening ends by time-out', async () => {
		const name = 'redirect ended by time-out';
		checked.add(name);
		expect(documented.get(name)).toBe('production URL');
		await timeOut.isRestored();
	}, 180_000);

	it('is told in full: every row of the table was checked', () => {
		expect([...checked].sort()).toEqual([...documented.keys()].sort());
	});
});
