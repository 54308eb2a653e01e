import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { sendEvents } from '../../support/eventSender.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { countOpenExecutions, storedExecutions } from '../support/storedEvents.ts';
import { itOnN8n2, n8nDifferences } from '../support/versions.ts';
import { createCredential, triggerName, triggerWorkflow } from '../support/workflows.ts';

const folder = 'n8n-load';
const connections = 50;

describe('the trigger under load', () => {
	const differences = n8nDifferences();
	const n8n = new OwnN8n(folder, differences.flood);
	let credential: CredentialSummary;

	/** A published workflow; its URL is set elsewhere, for the events come from here. */
	async function publish(name: string, options: Record<string, unknown>) {
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow(name, credential, {
				path: name,
				events: ['callAttempted', 'smsStatus'],
				options: { registration: 'manual', ...options },
			}),
		);
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		return { id, url: `${n8n.url}/webhook/${name}` };
	}

	/** The executions, once all of them that were made since a moment have ended. */
	async function settled(id: string, since = new Date(0)) {
		await poll(async () => (countOpenExecutions(folder, id, since) === 0 ? true : undefined), {
			what: 'the executions to end',
			timeout: 120_000,
			interval: 500,
		});
		return storedExecutions(folder, id, triggerName);
	}

	const numbersOf = ({ items }: { items: { json: Record<string, unknown> }[] }) =>
		items.map(({ json }) => Number(json.messageId)).sort((one, other) => one - other);
	const allNumbers = (count: number) => Array.from({ length: count }, (_, number) => number);
	const batching = { batchEvents: true, batchSize: connections };

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Load');
	});

	afterAll(async () => {
		await n8n.end();
	});

	it('gives each of 10,000 events exactly one item, and fewer executions than events', async () => {
		const { id, url } = await publish('batched', batching);
		const { acknowledged } = await sendEvents({ url, count: 10_000, connections, tries: 200 });
		expect(acknowledged.size).toBe(10_000);
		const stored = await settled(id);
		expect(numbersOf(stored)).toEqual(allNumbers(10_000));
		expect(stored.statuses).toEqual({ success: stored.count });
		expect(stored.count).toBeLessThan(10_000);
	}, 600_000);

	const lossless = itOnN8n2('it acknowledges an event before it has stored it');
	for (const [name, options, count] of [['in batches', batching, 3000]] as const) {
		lossless(
			`loses nothing acknowledged when n8n is killed: ${name}`,
			async () => {
				const { id, url } = await publish(`killed-${name.replaceAll(' ', '-')}`, options);
				let restarted: Promise<void> | undefined;
				let startedAgain = new Date(0);
				const { acknowledged, lostInStartUp } = await sendEvents({
					url,
					count,
					connections,
					tries: 200,
					onAcknowledged: (total) => {
						if (total < count / 2 || restarted !== undefined) return;
						restarted = n8n.kill().then(async () => {
							startedAgain = new Date();
							await n8n.start();
						});
					},
				});
				await restarted;
				expect(acknowledged.size).toBe(count);
				const numbers = numbersOf(await settled(id, startedAgain));
				// Nothing is missing but events to which n8n itself responded with success while it was
				// starting; n8n may have stored some of them at an earlier try, whose response the kill cut off.
				const found = new Set(numbers);
				const missing = allNumbers(count).filter((number) => !found.has(number));
				expect(missing.filter((number) => !lostInStartUp.has(number))).toEqual([]);
				// Twice can be only what n8n had stored but not acknowledged any more: it was sent again.
				const doubled = numbers.filter((number, index) => numbers[index - 1] === number);
				expect(doubled.filter((number) => acknowledged.get(number) === 1)).toEqual([]);
			},
			600_000,
		);
	}
});
