import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CredentialSummary } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { sendEvents } from '../support/eventSender.ts';
import { sandbox } from './support/host.ts';
import { OwnN8n } from './support/ownN8n.ts';
import { countOpenExecutions, storedExecutions } from './support/storedEvents.ts';
import { n8nDifferences } from './support/versions.ts';
import { createCredential, triggerName, triggerWorkflow, webhookUrl } from './support/workflows.ts';

const folder = 'n8n-shared-events';

/** Several workflows with the trigger and one account, in a real n8n. */
describe('every published workflow gets every event', () => {
	const n8n = new OwnN8n(folder, n8nDifferences().flood);
	let credential: CredentialSummary;
	const ids: Record<string, string> = {};
	const numbers = (count: number, first = 0) =>
		Array.from({ length: count }, (_, index) => first + index);
	let startedAt = new Date(0);

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Shared');
	});

	afterAll(async () => {
		await n8n.stop();
	});

	async function publish(path: string, options = {}): Promise<void> {
		const all = { ...n8nDifferences().storesFirst, ...options };
		const content = triggerWorkflow(path, credential, {
			path,
			events: ['smsStatus'],
			options: all,
		});
		ids[path] ??= (await n8n.client.createWorkflow(content)).id;
		expect(await n8n.client.activateWorkflow(ids[path])).toMatchObject({ status: 'published' });
	}

	/** The numbers of the events that a workflow has stored, each as often as it has. */
	async function stored(path: string): Promise<number[]> {
		const id = String(ids[path]);
		await poll(() => (countOpenExecutions(folder, id, startedAt) === 0 ? true : undefined), {
			what: `the executions of ${path}`,
			timeout: 240_000,
		});
		const { items } = storedExecutions(folder, id, triggerName);
		return items.map(({ json }) => Number(json.messageId)).sort((one, other) => one - other);
	}

	const registered = async (path: string) =>
		await poll(
			async () =>
				(await sandbox().webhook()).url === webhookUrl(n8n.url, path) ? true : undefined,
			{ what: `the registration of ${path}`, timeout: 60_000 },
		);

	it('publishing a second workflow leaves the first one its events, and the URL as it was', async () => {
		for (const path of ['first', 'second', 'third', 'fourth']) await publish(path);
		await publish('batched', { batchEvents: true });
		await publish('last', { responseMode: 'lastNode' });
		await registered('first');
		const url = webhookUrl(n8n.url, 'first');
		const { acknowledged } = await sendEvents({ url, count: 40, connections: 20 });
		expect(acknowledged.size).toBe(40);
		for (const path of Object.keys(ids)) {
			expect([path, await stored(path)]).toEqual([path, numbers(40)]);
		}
	}, 240_000);

	it('marks, lists and paths that n8n has not signed reach nothing', async () => {
		const reached: string[] = [];
		const trap = createServer((request, response) => {
			reached.push(String(request.url));
			response.end();
		}).listen(0, '127.0.0.1');
		await once(trap, 'listening');
		const { port } = trap.address() as AddressInfo;
		const url = webhookUrl(n8n.url, 'first');
		const others = [
			`@127.0.0.1:${String(port)}/x`,
			`//127.0.0.1:${String(port)}/`,
			'../rest/login',
		].map((path) => ({ path, kinds: ['smsStatus'], workflow: 'x', publishedAt: 0 }));
		for (const mark of ['', 'x', 'stored', '0'.repeat(64)]) {
			const headers = { 'content-type': 'application/json', 'x-messaging-service-trigger': mark };
			const body = JSON.stringify({ others });
			expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
			const withoutToken = url.replace(/\?.*/, '');
			expect((await fetch(withoutToken, { method: 'POST', headers, body })).status).toBe(401);
		}
		expect(
			(await sendEvents({ url, count: 1, connections: 1, first: 500 })).acknowledged.size,
		).toBe(1);
		expect(await stored('second')).toContain(500);
		expect(reached).toEqual([]);
		trap.close();
	}, 120_000);

	it('while one is unpublished, one is archived and n8n is killed, none is lost', async () => {
		const count = 400;
		const incidents = [
			async () => {
				await n8n.client.deactivateWorkflow(String(ids.third));
			},
			async () => {
				await n8n.client.archiveWorkflow(String(ids.fourth));
			},
			async () => {
				await n8n.kill();
				startedAt = new Date();
				await n8n.start();
			},
		];
		let happening = Promise.resolve();
		const { acknowledged, lostInStartUp } = await sendEvents({
			url: webhookUrl(n8n.url, 'first'),
			...{ count, connections: 20, tries: 1000 },
			first: 1000,
			onAcknowledged: (total) => {
				if (total < (count * (4 - incidents.length)) / 4) return;
				const [incident] = incidents.splice(0, 1);
				if (incident !== undefined) happening = happening.then(incident);
			},
		});
		await happening;
		expect(acknowledged.size).toBe(count);
		for (const path of ['first', 'second', 'batched', 'last']) {
			const found = new Set(await stored(path));
			// While it starts, n8n itself responds with success to events that no trigger has seen.
			const missing = [...acknowledged.keys()].filter(
				(number) => !found.has(number) && !lostInStartUp.has(number),
			);
			expect([path, missing]).toEqual([path, []]);
		}
	}, 480_000);

	it('when the first one is unpublished, the next one has the URL, and the rest their events', async () => {
		await n8n.client.deactivateWorkflow(String(ids.first));
		await registered('second');
		const url = webhookUrl(n8n.url, 'second');
		const { acknowledged } = await sendEvents({ url, count: 10, connections: 5, first: 5000 });
		expect(acknowledged.size).toBe(10);
		for (const path of ['second', 'batched', 'last']) {
			expect([path, (await stored(path)).slice(-10)]).toEqual([path, numbers(10, 5000)]);
		}
		expect(Math.max(...(await stored('first')))).toBeLessThan(5000);
	}, 120_000);
});
