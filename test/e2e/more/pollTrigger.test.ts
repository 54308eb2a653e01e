import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialSummary, WorkflowNode } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { exampleWorkflow } from '../../../host/workflows.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox.ts';
import { voiceBody } from '../../support/voiceCampaign.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { countOpenExecutions, storedExecutions } from '../support/storedEvents.ts';
import { createCredential } from '../support/workflows.ts';

const folder = 'n8n-poll';
const webhookName = 'On Event';
const pollName = 'Every Five Minutes';
const resultName = 'Result';

/** Numbers of the campaign that is polled while n8n is killed; 10,000 for the full size. */
const size = Number(process.env.POLL_NUMBERS ?? 1000);

/** Seconds of the sandbox in one real second, so that a campaign of three minutes takes less. */
const clockRate = size > 1000 ? 1 : 3;

/** n8n refuses poll times of less than a minute, but takes several of them. */
const pollTimes = {
	item: Array.from({ length: 30 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * 2)} * * * * *`,
	})),
};

/** Every kind of course that the calls to a number can take. */
const endings = ['123', '703', '706', '721', '722', '725'];

const numbers = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		number: `${prefix}${String(10_000 + Math.floor(index / 6))}${endings[index % 6] ?? ''}`,
	}));

const attempts = [1, 2, 3].map((attemptNumber) => ({ interval: 1, attemptNumber }));

interface Call {
	id: number;
	campaignId: number;
	phoneNumber: string;
	startTime: string;
}

/** The key that both triggers give a call (docs/poll-trigger.md, "eventKey"). */
const keyOf = ({ campaignId, phoneNumber, startTime }: Call) =>
	`call/${String(campaignId)}/${phoneNumber.slice(1)}/${startTime.slice(0, -1)}`;

describe('results of a campaign while n8n is killed and the service fails', () => {
	const n8n = new OwnN8n(folder, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
	let sandbox: Sandbox;
	let credential: CredentialSummary;

	/** Publishes those nodes of "Never Miss a Result" that are named, for one campaign. */
	async function publish(nodeNames: string[], campaignId: number) {
		const { nodes, connections, ...content } = exampleWorkflow(
			'never-miss-a-result.json',
			credential,
		);
		const changes: Record<string, WorkflowNode['parameters']> = {
			[pollName]: {
				pollTimes,
				events: ['callAttempted'],
				campaigns: 'selected',
				voiceCampaigns: { campaign: [{ campaignId: { mode: 'id', value: String(campaignId) } }] },
			},
		};
		const { id } = await n8n.client.createWorkflow({
			...content,
			nodes: nodes
				.filter(({ name }) => nodeNames.includes(name))
				.map((node) => ({ ...node, parameters: { ...node.parameters, ...changes[node.name] } })),
			connections: Object.fromEntries(
				Object.entries(connections).filter(
					([name]) => nodeNames.length > 1 && nodeNames.includes(name),
				),
			),
			pinData: {},
		});
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		return id;
	}

	async function createCampaign(change: Record<string, unknown>): Promise<number> {
		const body = voiceBody({ attempts, ...change });
		const { status, data } = await sandbox.api.post<{ id: number }>('/api/campaigns/voice', body);
		expect(status).toBe(200);
		return data.id;
	}

	/** The calls of a campaign, as the sandbox has recorded them. */
	async function callsMade(campaignId: number): Promise<string[]> {
		const calls: Call[] = [];
		for (;;) {
			const { data } = await sandbox.control.get<{ items: Call[] }>('/truth/calls', {
				params: { campaignId: String(campaignId), after: calls.at(-1)?.id ?? 0 },
			});
			if (data.items.length === 0) return calls.map(keyOf).sort();
			calls.push(...data.items);
		}
	}

	/** The calls that a node of a workflow has given out. Failed polls are executions without any. */
	const callsAt = (workflowId: string, nodeName: string): string[] =>
		storedExecutions(folder, workflowId, nodeName)
			.items.flatMap(({ json }) => (typeof json.eventKey === 'string' ? [json.eventKey] : []))
			.sort();

	async function waitForCalls(workflowId: string, nodeName: string, count: number) {
		await poll(() => (callsAt(workflowId, nodeName).length >= count ? true : undefined), {
			what: `${String(count)} calls at ${nodeName}`,
			timeout: 300_000,
			interval: 1000,
		});
	}

	/** Makes requests of the given kind fail. */
	async function fail(fault: Record<string, unknown>) {
		await sandbox.fault({ fault: { kind: 'status', status: 500 }, ...fault });
	}

	/** Waits until a poll is reading. */
	async function pollBegins() {
		const { requests } = await sandbox.summary();
		await poll(async () => ((await sandbox.summary()).requests > requests ? true : undefined), {
			what: 'a poll',
			timeout: 30_000,
			interval: 5,
		});
	}

	beforeAll(async () => {
		sandbox = await startSandbox();
		await sandbox.settings({
			voice: { callsPerSecond: Math.ceil(size / 45) },
			// n8n is down for longer than the service tries again.
			deliveries: { retries: 0 },
		});
		await n8n.start();
		credential = await createCredential(n8n.client, 'Poll', {
			baseUrl: sandbox.url,
			headerSecret: sandbox.apiKey,
			serviceConventions: true,
			serviceTimeZone: 'UTC',
		});
	}, 300_000);

	afterAll(async () => {
		await n8n.end();
		await sandbox.stop();
	});

	it('gives out every call once, with n8n killed three times', async () => {
		const campaignId = await createCampaign({ phoneNumbers: numbers('+4478', size) });
		const workflowId = await publish([pollName], campaignId);
		// One request in twenty fails, in one of two ways.
		await fail({ every: 40, times: 'always' });
		await fail({ every: 40, skip: 20, times: 'always', fault: { kind: 'cut' } });
		await sandbox.advanceTo('2999-01-10T08:59:58Z');
		await sandbox.control.post('/time', { rate: clockRate });
		for (let kills = 0; kills < 3; kills++) {
			await sleep(2000);
			// A poll fails in the middle of the list: no retry helps.
			await fail({
				match: { operationId: 'listVoiceCampaignPhoneNumbersBySize' },
				skip: size > 1000 ? 5 : 1,
				times: 4,
			});
			await sleep(4000);
			await pollBegins();
			await n8n.kill();
			await n8n.start();
		}
		const isFinished = async () => (await sandbox.control.get<{ now: string }>('/time')).data.now;
		await poll(async () => ((await isFinished()) > '2999-01-10T09:03:30' ? true : undefined), {
			what: 'the calls to be made',
			timeout: 300_000,
			interval: 500,
		});
		const made = await callsMade(campaignId);
		expect(made.length).toBeGreaterThan(2 * size);
		await waitForCalls(workflowId, pollName, made.length);
		// Two more polls, which must find nothing.
		await sleep(5000);
		const { total } = (await sandbox.requests({ status: 500, limit: 1 })) as { total: number };
		expect(total).toBeGreaterThan(0);
		expect(callsAt(workflowId, pollName)).toEqual(made);
		await n8n.client.deactivateWorkflow(workflowId);
		await sandbox.clearFaults();
		await sandbox.control.post('/time', { rate: 1 });
	}, 1_500_000);

	it('lets every call through once where webhook and polls are joined', async () => {
		const phoneNumbers = numbers('+4479', 120);
		const campaignId = await createCampaign({
			name: 'Joined',
			startDate: '2999-01-11',
			phoneNumbers,
		});
		const workflowId = await publish(
			[webhookName, pollName, 'Each Once', 'Results Table', 'New Results', resultName],
			campaignId,
		);
		await sandbox.advanceTo('2999-01-11T09:00:04Z');
		await sandbox.idle();
		const before = await callsMade(campaignId);
		await waitForCalls(workflowId, pollName, before.length);
		await poll(() => countOpenExecutions(folder, workflowId, new Date(0)) === 0 || undefined, {
			what: 'the executions to end',
			timeout: 60_000,
		});
		await n8n.kill();
		await sandbox.advance(60);
		await sandbox.idle();
		await n8n.start();
		await sandbox.advance(3600);
		await sandbox.idle();
		const made = await callsMade(campaignId);
		await waitForCalls(workflowId, resultName, made.length);
		await waitForCalls(workflowId, pollName, made.length);
		await sleep(5000);
		const delivered = callsAt(workflowId, webhookName);
		expect(delivered.length).toBeGreaterThan(0);
		expect(delivered.length).toBeLessThan(made.length);
		expect(callsAt(workflowId, pollName)).toEqual(made);
		expect(callsAt(workflowId, resultName)).toEqual(made);
	}, 300_000);
});
