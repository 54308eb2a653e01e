import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialSummary } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { exampleWorkflow } from '../../host/workflows.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { voiceBody } from '../support/voiceCampaign.ts';
import { OwnN8n } from './support/ownN8n.ts';
import { storedExecutions } from './support/storedEvents.ts';
import { createCredential } from './support/workflows.ts';

const folder = 'n8n-poll';
const pollName = 'Every Five Minutes';

/** n8n refuses poll times of less than a minute, but takes twelve of them. */
const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

/** Every kind of course that the calls to a number can take. */
const endings = ['123', '703', '706', '721', '722', '725'];

const phoneNumbers = Array.from({ length: 1000 }, (_, index) => ({
	number: `+4478${String(10_000 + Math.floor(index / 6))}${endings[index % 6] ?? ''}`,
}));

const attempts = [1, 2, 3].map((attemptNumber) => ({ interval: 2, attemptNumber }));

interface NumberRecord {
	number: string;
	calls: { startTime: string }[];
}

describe('the polling trigger while a campaign runs', () => {
	const n8n = new OwnN8n(folder);
	let sandbox: Sandbox;
	let campaignId: number;
	let workflowId: string;

	async function publish(credential: CredentialSummary): Promise<void> {
		const { nodes, ...content } = exampleWorkflow('never-miss-a-result.json', credential);
		const { id } = await n8n.client.createWorkflow({
			...content,
			nodes: nodes
				.filter(({ name }) => name === pollName)
				.map((node) => ({
					...node,
					parameters: {
						...node.parameters,
						events: ['callAttempted'],
						pollTimes: { item: everyFiveSeconds },
					},
				})),
			connections: {},
			pinData: {},
		});
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		workflowId = id;
	}

	/** The calls that the service has made. */
	async function callsMade(): Promise<string[]> {
		const path = `/api/campaigns/voice/${campaignId}/phonenumbers/1000/1`;
		const { status, data } = await sandbox.api.get<NumberRecord[]>(path);
		expect(status).toBe(200);
		expect(data).toHaveLength(phoneNumbers.length);
		return data
			.flatMap(({ number, calls }) => calls.map(({ startTime }) => `${number} ${startTime}`))
			.sort();
	}

	/** The calls that started an execution. */
	const callsReported = (): string[] =>
		storedExecutions(folder, workflowId, pollName)
			.items.map(({ json }) => `${String(json.phoneNumber)} ${String(json.startTime)}`)
			.sort();

	beforeAll(async () => {
		sandbox = await startSandbox();
		await sandbox.settings({ voice: { callsPerSecond: 10 } });
		await n8n.start();
		const credential = await createCredential(n8n.client, 'Poll', {
			baseUrl: sandbox.url,
			headerSecret: sandbox.apiKey,
		});
		await publish(credential);
	}, 300_000);

	afterAll(async () => {
		await n8n.end();
		await sandbox.stop();
	});

	it('reports every call once, with n8n killed and the service failing', async () => {
		const { data } = await sandbox.api.post<{ id: number }>(
			'/api/campaigns/voice',
			voiceBody({ attempts, phoneNumbers }),
		);
		campaignId = data.id;
		await sandbox.advanceTo('2999-01-10T08:59:50Z');
		// Half a minute of the sandbox for each step, in which a poll fails in the middle of the list.
		for (let step = 0; step < 14; step++) {
			await sandbox.fault({
				match: { operationId: 'listVoiceCampaignPhoneNumbersBySize' },
				skip: step % 3,
				times: 4,
				fault: { kind: 'status', status: 500 },
			});
			await sandbox.advance(30);
			if (step === 6) {
				await n8n.kill();
				await sandbox.advance(30);
				await n8n.start();
			}
			await sleep(3000);
		}
		expect(callsReported().length).toBeGreaterThan(0);
		await sandbox.clearFaults();
		await sandbox.advance(3600);
		const made = await callsMade();
		expect(made.length).toBeGreaterThan(2 * phoneNumbers.length);

		await poll(() => Promise.resolve(callsReported().length >= made.length || undefined), {
			what: 'all calls to be reported',
			timeout: 120_000,
			interval: 2000,
		});
		// Two more polls, which must find nothing.
		await sleep(11_000);
		expect(callsReported()).toEqual(made);
	}, 400_000);
});
