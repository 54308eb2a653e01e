import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { voiceBody } from '../../support/voiceCampaign.ts';
import { postToService, sandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { storedExecutions } from '../support/storedEvents.ts';
import { createCredential, pollWorkflow } from '../support/workflows.ts';

const folder = 'n8n-poll-settings';
const pollName = 'Poll';

/** n8n's scheduler runs the polls; it looks for them every second. */
const scheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
};
const durable = { ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** Two requests for each, half a second each: another poll begins in the time of one. */
const CAMPAIGNS = 8;
/** n8n stops a poll after four seconds, and drops its results; it asks to be done in two. */
const littleTime = { N8N_SCHEDULER_POLL_TIMEOUT: '4' };

describe('polls that take longer than the time between them', () => {
	const n8n = new OwnN8n(folder);
	let credential: CredentialSummary;
	let workflow: string;
	let minutes = 0;

	async function createCampaign(index: number): Promise<number> {
		const endings = ['703', '706', '711'];
		const phoneNumbers = endings.map((ending) => ({ number: `+447700900${ending}` }));
		const attempts = Array.from({ length: 9 }, (_, place) => ({
			...{ interval: 30, attemptNumber: place + 1 },
		}));
		const name = `Polled ${String(index)}`;
		const body = voiceBody({ name, startDate: '2999-01-10', phoneNumbers, attempts });
		return (await postToService<{ id: number }>('campaigns/voice', body)).id;
	}

	/** The next attempts are made. */
	async function makeCalls(): Promise<void> {
		const { calls } = await sandbox().summary();
		minutes += 30;
		const to = new Date(Date.parse('2999-01-10T08:30:50Z') + minutes * 60_000).toISOString();
		await sandbox().advanceTo(to);
		await sandbox().idle();
		expect((await sandbox().summary()).calls).toBeGreaterThanOrEqual(calls + 2 * CAMPAIGNS);
	}

	/** What the workflow was started with so far, by the keys of the calls; none of them twice. */
	function reported(): unknown[] {
		const keys = storedExecutions(folder, workflow, pollName).items.map(
			({ json }) => json.eventKey,
		);
		expect(new Set(keys).size).toBe(keys.length);
		return keys;
	}

	/** Waits until every call that was made is reported. */
	async function allReported(): Promise<void> {
		const { calls } = await sandbox().summary();
		await poll(async () => (reported().length >= calls ? true : undefined), {
			what: `${String(calls)} calls to be reported`,
			timeout: 180_000,
		});
		// What would come twice comes with one of the next two polls.
		const requests = (await sandbox().summary()).requests + 2 * CAMPAIGNS * 2;
		await poll(async () => ((await sandbox().summary()).requests > requests ? true : undefined), {
			what: 'two more polls',
			timeout: 180_000,
		});
		expect(reported()).toHaveLength(calls);
	}

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Poll Settings');
		const ids = await Promise.all(
			Array.from({ length: CAMPAIGNS }, async (_, i) => createCampaign(i)),
		);
		const content = pollWorkflow(pollName, credential, {
			events: ['callAttempted'],
			campaigns: 'selected',
			voiceCampaigns: {
				campaign: ids.map((id) => ({ campaignId: { mode: 'id', value: String(id) } })),
			},
		});
		({ id: workflow } = await n8n.client.createWorkflow(content));
		expect(await n8n.client.activateWorkflow(workflow)).toMatchObject({ status: 'published' });
		await sandbox().fault({
			match: { method: 'GET' },
			...{ times: 'always', fault: { kind: 'delay', delayMs: 500 } },
		});
	}, 300_000);

	afterAll(async () => {
		await n8n.stop();
	});

	it.each([
		['by timers', {}],
		["by n8n's scheduler", scheduler],
		['by it, with durable cursors', durable],
		['by it, in parts that fit into little time', { ...durable, ...littleTime }],
		['by timers again', {}],
	])(
		'report each result once, %s',
		async (_, environment) => {
			await n8n.stop();
			await n8n.start(environment);
			await makeCalls();
			await allReported();
		},
		600_000,
	);
});
