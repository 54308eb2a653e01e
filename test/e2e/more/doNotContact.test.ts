import type { N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import {
	startStoredNumbers,
	storedNumber,
	storedRule,
	type StoredNumbersService,
} from '../../support/storedNumbersService.ts';
import { loggedIn } from '../support/host.ts';
import { actionName, actionWorkflow, createCredential } from '../support/workflows.ts';

const errorOutput = { onError: 'continueErrorOutput' } as const;
const send = { resource: 'smsMessage', operation: 'send', sender: 'Shop', message: 'Sale' };

describe('the do-not-contact list of a credential', () => {
	let n8n: N8nClient;
	let service: StoredNumbersService;

	beforeAll(async () => {
		n8n = await loggedIn();
		service = await startStoredNumbers(100_000);
	});

	afterAll(async () => {
		await service.close();
	});

	it('is read once by 1,000 executions that send one SMS each', async () => {
		const credential = await createCredential(n8n, 'Events', {
			baseUrl: service.url,
			...storedRule,
		});
		const parameters = { ...send, phoneNumber: '={{ $json.body.phoneNumber }}' };
		const content = actionWorkflow('Events', credential, [], parameters, errorOutput);
		const [start, , action] = content.nodes;
		if (start === undefined || action === undefined) throw new Error('The workflow has no nodes.');
		Object.assign(start, { type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: 'events' });
		start.parameters = { path: 'events', httpMethod: 'POST', responseMode: 'onReceived' };
		const { id } = await n8n.createWorkflow({
			...content,
			nodes: [start, action],
			connections: { [start.name]: { main: [[{ node: actionName, type: 'main', index: 0 }]] } },
		});
		await n8n.activateWorkflow(id);

		/** Every tenth of them is stored. */
		const people = Array.from({ length: 1000 }, (_, place) =>
			place % 10 === 0 ? storedNumber(place) : `+4477${String(place).padStart(8, '0')}`,
		);
		const waiting = [...people];
		await Promise.all(
			Array.from({ length: 20 }, async () => {
				for (let phoneNumber = waiting.pop(); phoneNumber; phoneNumber = waiting.pop()) {
					const { status } = await fetch(`${n8n.url}/webhook/events`, {
						method: 'POST',
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify({ phoneNumber }),
					});
					expect(status).toBe(200);
				}
			}),
		);
		await poll(
			async () =>
				(await n8n.countExecutions(id, ['success'])) === people.length ? true : undefined,
			{ what: 'the executions to end', timeout: 240_000 },
		);
		await n8n.deactivateWorkflow(id);
		const pages = service.pages();
		console.log(`${String(people.length)} executions, ${String(pages.length)} pages read`);
		// Each page once: 20 of them, and what finds out which one is the first.
		expect(pages.length).toBeGreaterThanOrEqual(20);
		expect(new Set(pages).size).toBe(pages.length);
		expect(service.sentTo().sort()).toEqual(
			people.filter((phoneNumber) => !phoneNumber.startsWith('+4478')).sort(),
		);
	}, 600_000);
});
