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

const phoneNumbers = Array.from({ length: 10_000 }, (_, index) => ({
	number: `+4478${String(10_000 + Math.floor(index / 6))}${endings[index % 6] ?? ''}`,
}));

const attempts = [1, 2, 3].map((attemptNumber) => ({ interval: 2, attemptNumber }));

interface NumberRecord {
	number: string;
	calls: { startTime: string }[];
}

describe('a campaign of 10,000 numbers and three attempts, n8n killed three times', () => {
	// One execution after the other: what runs simultaneously cannot see what the other removes.
	const n8n = new OwnN8n(folder, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
	let sandbox: Sandbox;
	let credential: CredentialSummary;
	let campaignId: number;
	const ids: Record<string, string> = {};

	/** Publishes the example with the webhook trigger and the polling trigger, or with one of them. */
	async function publish(name: string, triggers: string[]): Promise<void> {
		const content = exampleWorkflow('never-miss-a-result.json', credential);
		const isLeftOut = (node: string) =>
			['On Event', pollName].includes(node) && !triggers.includes(node);
		const { id } = await n8n.client.createWorkflow({
			...content,
			name,
			nodes: content.nodes
				.filter((node) => !isLeftOut(node.name))
				.map((node) =>
					node.name === pollName
						? {
								...node,
								parameters: {
									...node.parameters,
									events: ['callAttempted'],
									pollTimes: { item: everyFiveSeconds },
								},
							}
						: node,
				),
			connections: Object.fromEntries(
				Object.entries(content.connections).filter(([node]) => !isLeftOut(node)),
			),
			pinData: {},
		});
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		ids[name] = id;
	}

	/** The calls that the service has made, as they are named in events. */
	async function callsMade(): Promise<string[]> {
		const calls: string[] = [];
		for (let page = 1; ; page++) {
			const path = `/api/campaigns/voice/${campaignId}/phonenumbers/1000/${page}`;
			const { status, data } = await sandbox.api.get<NumberRecord[]>(path);
			expect(status).toBe(200);
			if (data.length === 0) return calls.sort();
			for (const record of data) {
				for (const { startTime } of record.calls) calls.push(`${record.number} ${startTime}`);
			}
		}
	}

	/** The calls among the items of a node in all executions of a workflow. */
	const callsIn = (name: string, node: string): string[] =>
		storedExecutions(folder, ids[name] ?? '', node)
			.items.filter(({ json }) => json.event === 'callAttempted')
			.map(({ json }) => `${String(json.phoneNumber)} ${String(json.startTime).replace('Z', '')}`)
			.sort();

	beforeAll(async () => {
		sandbox = await startSandbox();
		// Deliveries that wait together become one execution of a hundred events.
		await sandbox.settings({ voice: { callsPerSecond: 100 }, deliveries: { concurrency: 200 } });
		await n8n.start();
		credential = await createCredential(n8n.client, 'Poll', {
			baseUrl: sandbox.url,
			headerSecret: sandbox.apiKey,
		});
	}, 300_000);

	afterAll(async () => {
		await n8n.end();
		await sandbox.stop();
	});

	it('reports every call attempt once', async () => {
		await publish('polled', [pollName]);
		await publish('joined', ['On Event', pollName]);
		const { data } = await sandbox.api.post<{ id: number }>(
			'/api/campaigns/voice',
			voiceBody({ attempts, phoneNumbers }),
		);
		campaignId = data.id;
		await sandbox.advanceTo('2999-01-10T08:59:50Z');

		// 12 seconds of the sandbox for each step: 7 minutes in all, with 5 % of the requests failing.
		const kills = new Set([7, 16, 27]);
		for (let step = 0; step < 36; step++) {
			await sandbox.fault({
				match: { operationId: 'listVoiceCampaignPhoneNumbersBySize' },
				skip: Math.floor(Math.random() * 20),
				times: 3,
				fault: { kind: 'status', status: 500 },
			});
			await sandbox.advance(12);
			if (kills.has(step)) {
				await sleep(Math.random() * 1000);
				await n8n.kill();
				await n8n.start();
			} else {
				await sleep(1500);
			}
		}
		await sandbox.clearFaults();
		await sandbox.advance(3600);
		// What the webhook has not delivered by now, the lists have.
		await sandbox.settings({ deliveries: { paused: true } });
		const { deliveries } = await sandbox.summary();
		expect(deliveries.acknowledged).toBeGreaterThan(1000);
		const made = await callsMade();
		expect(made.length).toBeGreaterThan(20_000);

		const count = (name: string, node: string) => callsIn(name, node).length;
		for (const [name, node] of [
			['polled', pollName],
			['joined', 'New Results'],
		] as const) {
			await poll(async () => ((await count(name, node)) >= made.length ? true : undefined), {
				what: `all calls in ${name}`,
				timeout: 300_000,
				interval: 5000,
			}).catch(() => undefined);
		}
		await sleep(10_000);
		expect(differences(callsIn('polled', pollName), made)).toEqual({ lost: [], repeated: [] });
		expect(differences(callsIn('joined', 'New Results'), made)).toEqual({ lost: [], repeated: [] });
	}, 900_000);
});

/** What is missing from a list, and what is in it more than once. */
function differences(found: readonly string[], expected: readonly string[]) {
	const all = new Set(found);
	return {
		lost: expected.filter((call) => !all.has(call)),
		repeated: found.filter((call, index) => call === found[index - 1]),
	};
}
