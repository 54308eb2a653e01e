import path from 'node:path';
import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { postToService, sandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { storedExecutions } from '../support/storedEvents.ts';
import { createCredential, pollWorkflow } from '../support/workflows.ts';
import { exampleWorkflow } from '../../../host/workflows.ts';

const folder = 'n8n-sms-ends';
const pollName = 'Poll';
const HOUR = 3600;
const THREE_DAYS = 72 * HOUR;

/** n8n on the clock of the sandbox, which a test has advanced. */
const ahead = (seconds: number) => ({
	NODE_OPTIONS: `--require ${path.resolve(__dirname, '..', 'support', 'laterClock.cjs')}`,
	CLOCK_AHEAD_MS: String(seconds * 1000),
});

describe('the end of an SMS campaign', () => {
	const n8n = new OwnN8n(folder);
	let credential: CredentialSummary;
	let workflow: string;
	let later = 0;

	async function advance(seconds: number): Promise<void> {
		later += seconds;
		await sandbox().advance(seconds);
	}

	/** A campaign that starts in an hour. */
	async function createCampaign(...endings: string[]): Promise<string> {
		const contacts = endings.map((ending) => ({ phoneNumber: `+447700900${ending}` }));
		const startDateTime = new Date(Date.now() + (later + HOUR) * 1000).toISOString();
		const body = { message: 'Hello', sender: 'MyShop', startDateTime, contacts };
		return await postToService<string>('Campaigns', body);
	}

	const ends = () => storedExecutions(folder, workflow, pollName).items.map(({ json }) => json);

	/** Waits for so many polls that begin from now on. */
	async function polls(count: number): Promise<void> {
		const lists = async () =>
			(await sandbox().requests({ method: 'GET', path: 'Campaigns', limit: 1 })).total;
		const before = await lists();
		await poll(async () => ((await lists()) > before + count ? true : undefined), {
			what: `${String(count)} polls`,
			timeout: 60_000,
		});
	}

	async function expectEnds(count: number): Promise<void> {
		await poll(async () => (ends().length >= count ? true : undefined), {
			what: `${String(count)} ends to be reported`,
			timeout: 60_000,
		});
		expect(ends()).toHaveLength(count);
	}

	/** Get Summary of the campaigns, in n8n. */
	async function summaries(ids: string[]) {
		const example = exampleWorkflow('campaign-dashboard.json', credential);
		const summary = example.nodes.find(({ name }) => name === 'Text Figures');
		const start = example.nodes.find(({ name }) => name === 'Start');
		if (summary === undefined || start === undefined) throw new Error('The example has changed.');
		const { id } = await n8n.client.createWorkflow({
			name: 'Summaries',
			nodes: [
				start,
				{
					...structuredClone(start),
					...{ id: 'ids', name: 'IDs', type: 'n8n-nodes-base.code', typeVersion: 2 },
					parameters: { jsCode: `return ${JSON.stringify(ids.map((id) => ({ json: { id } })))};` },
				},
				summary,
			],
			connections: {
				Start: { main: [[{ node: 'IDs', type: 'main', index: 0 }]] },
				IDs: { main: [[{ node: 'Text Figures', type: 'main', index: 0 }]] },
			},
		});
		const execution = await n8n.client.runWorkflow(id, 'Start');
		expect(execution.error).toBeUndefined();
		return execution.items('Text Figures').map(({ json }) => json);
	}

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'SMS Ends', {
			serviceConventions: true,
			serviceTimeZone: 'UTC',
		});
		const content = pollWorkflow(pollName, credential, { events: ['campaignFinished'] });
		({ id: workflow } = await n8n.client.createWorkflow(content));
		expect(await n8n.client.activateWorkflow(workflow)).toMatchObject({ status: 'published' });
	}, 300_000);

	afterAll(async () => {
		await n8n.stop();
	});

	it('is reported once, with the figures of Get Summary, over a restart, a kill and three days', async () => {
		// Delivered, failed, without credit, and delivered an hour later than the others.
		const finished = await createCampaign('123', '905', '999', '921');
		// Delivered, and accepted for good.
		const open = await createCampaign('123', '902');
		await polls(2);
		await n8n.stop();
		await advance(HOUR);
		await n8n.start();
		await polls(2);
		expect(ends()).toEqual([]);
		await n8n.kill();
		await advance(HOUR);
		await n8n.start();
		await expectEnds(1);
		await n8n.kill();
		await n8n.start();
		await polls(3);
		expect(ends()).toHaveLength(1);
		// Three days after the campaigns began, but for two hours.
		await advance(THREE_DAYS - 3 * HOUR);
		await n8n.stop();
		await n8n.start(ahead(later));
		await polls(2);
		expect(ends()).toHaveLength(1);
		await n8n.kill();
		await advance(3 * HOUR);
		await n8n.start(ahead(later));
		await expectEnds(2);
		await n8n.kill();
		await n8n.start(ahead(later));
		await polls(3);
		expect(ends()).toHaveLength(2);
		expect(ends()).toMatchObject([
			{ campaignId: finished, finishedBecause: 'allMessagesFinal', reached: 2, notReached: 2 },
			{ campaignId: open, finishedBecause: 'noChangeForThreeDays', reached: 1, notReached: 1 },
		]);
		for (const [index, figures] of (await summaries([finished, open])).entries()) {
			const { finished: isFinished, sender, ...others } = figures;
			expect([isFinished, sender]).toEqual([index === 0, 'MyShop']);
			expect(ends()[index]).toMatchObject(others);
		}
	}, 600_000);
});
