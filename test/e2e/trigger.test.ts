import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { createCredential, triggerWorkflow } from './support/workflows.ts';

describe('the trigger node', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Trigger Tests');
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
	});

	it('says why when it cannot register', async () => {
		const wrong = await createCredential(n8n, 'Wrong Key', { headerSecret: 'not-the-key' });
		const { id } = await n8n.createWorkflow(
			triggerWorkflow('Wrong Key', wrong, { path: 'wrong-key', events: ['smsStatus'] }),
		);
		try {
			const publication = await n8n.activateWorkflow(id);
			expect(publication.status).toBe('failed');
			expect(publication.triggers[0]?.errorMessage).toEqual(expect.stringMatching(/\w/));
			expect(await sandbox().webhookUrl()).toBeUndefined();
		} finally {
			await n8n.deleteWorkflow(id);
			await n8n.deleteCredential(wrong.id);
		}
	});

	it('takes events with a known token without the credential, with a poll trigger beside it', async () => {
		const data = { webhookSecret: 'night watch' };
		const [own, polls] = await Promise.all(
			['Webhook Only', 'Polls Only'].map(async (name) => await createCredential(n8n, name, data)),
		);
		if (own === undefined || polls === undefined) throw new Error('There are two credentials.');
		const { nodes, ...content } = triggerWorkflow('Both Triggers', own, { events: ['smsStatus'] });
		const pollTrigger = {
			id: 'poll',
			name: 'Polls',
			type: 'n8n-nodes-messaging-service.messagingServicePollTrigger',
			typeVersion: 1,
			position: [0, 200] as [number, number],
			credentials: { messagingServiceApi: { id: polls.id, name: polls.name } },
			parameters: {
				events: ['campaignStatus'],
				// n8n refuses poll times of less than a minute, but takes several of them.
				pollTimes: {
					item: Array.from({ length: 30 }, (_, index) => ({
						mode: 'custom',
						cronExpression: `${String(index * 2)} * * * * *`,
					})),
				},
			},
		};
		const { id } = await n8n.createWorkflow({ ...content, nodes: [...nodes, pollTrigger] });
		try {
			const polled = async () => (await sandbox().requests('GET', '/api/campaigns/voice/p')).total;
			const before = await polled();
			expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
			const url = String(await sandbox().webhookUrl());
			// Now that it is gone, reading it would fail.
			await n8n.deleteCredential(own.id);
			await poll(async () => ((await polled()) > before + 2 ? true : undefined), {
				what: 'some polls',
				timeout: 60_000,
			});
			const post = async (to: string) => {
				const body = JSON.stringify({ webHookType: 0, data: {} });
				const headers = { 'content-type': 'application/json' };
				return (await fetch(to, { method: 'POST', headers, body })).status;
			};
			expect(await post(url)).toBe(200);
			expect(await post(`${url}0`)).toBe(503);
		} finally {
			await n8n.deleteWorkflow(id);
			await n8n.deleteCredential(polls.id);
			await sandbox().control('POST', '/reset');
		}
	}, 120_000);
});
