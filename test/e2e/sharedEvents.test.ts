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

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Shared');
	});

	afterAll(async () => {
		await n8n.stop();
	});

	async function publish(path: string, options = {}): Promise<void> {
		const content = triggerWorkflow(path, credential, { path, events: ['smsStatus'], options });
		ids[path] ??= (await n8n.client.createWorkflow(content)).id;
		expect(await n8n.client.activateWorkflow(ids[path])).toMatchObject({ status: 'published' });
	}

	/** The numbers of the events that a workflow has stored, each as often as it has. */
	async function stored(path: string): Promise<number[]> {
		const id = String(ids[path]);
		await poll(() => (countOpenExecutions(folder, id, new Date(0)) === 0 ? true : undefined), {
			what: `the executions of ${path}`,
			timeout: 240_000,
		});
		const { items } = storedExecutions(folder, id, triggerName);
		return items.map(({ json }) => Number(json.messageId)).sort((one, other) => one - other);
	}

	const numbers = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => from + index);

	it('publishing a second workflow leaves the first one its events, and the URL as it was', async () => {
		await publish('first');
		await publish('second');
		await publish('third', { batchEvents: true });
		const { url } = await sandbox().webhook();
		expect(url).toBe(webhookUrl(n8n.url, 'first'));
		const { acknowledged } = await sendEvents({ url: String(url), count: 60, connections: 20 });
		expect(acknowledged.size).toBe(60);
		for (const path of ['first', 'second', 'third']) {
			expect([path, await stored(path)]).toEqual([path, numbers(0, 60)]);
		}
	}, 240_000);
});
