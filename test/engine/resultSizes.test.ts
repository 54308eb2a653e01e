import { byId } from '../support/actionSuite';
import { runAction } from '../support/engine';
import { largeCampaign, largeCampaignBody } from '../support/largeCampaign';
import { PolledWorkflow } from '../support/poll';
import { startServer, type LocalServer } from '../support/servers';

const PAGE_SIZE = 1000;

/** What does not depend on the machine: requests and items. */
describe('a running campaign of 100,000 numbers', () => {
	let server: LocalServer;

	beforeAll(async () => {
		server = await startServer(({ url }, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(largeCampaignBody(new URL(url, 'http://127.0.0.1').pathname));
		});
	});

	afterAll(async () => {
		await server.close();
	});

	const credential = () => ({ baseUrl: server.url, clientId: '1001', authentication: 'none' });

	/** How many requests something makes. */
	async function requestsOf(run: () => Promise<unknown>): Promise<number> {
		const before = server.received.length;
		await run();
		return server.received.length - before;
	}

	const run = async (operation: string) => {
		const result = await runAction({
			credential: credential(),
			parameters: {
				resource: 'voiceCampaign',
				operation,
				campaignId: byId(largeCampaign.id),
				returnAll: true,
				options: { pageSize: PAGE_SIZE },
			},
		});
		expect(result.error).toBeUndefined();
		return result.items;
	};

	it('takes little static data, and a poll as many requests as its pages', async () => {
		const workflow = new PolledWorkflow({
			credential: credential(),
			parameters: { events: ['callAttempted'] },
		});
		expect(await workflow.poll()).toBeNull();
		expect(JSON.stringify(workflow.staticData).length).toBeLessThan(210_000);

		const pages = largeCampaign.numbers / PAGE_SIZE;
		// The list of campaigns, and the empty page after the last one.
		expect(await requestsOf(async () => expect(await workflow.poll()).toBeNull())).toBe(pages + 2);
		expect(JSON.stringify(workflow.staticData).length).toBeLessThan(210_000);
	}, 120_000);

	it('is summed up in one item', async () => {
		const [item, ...others] = await run('getSummary');
		expect(others).toEqual([]);
		expect(item?.json).toMatchObject({
			recipients: largeCampaign.numbers,
			reached: 0,
			finished: false,
		});
	}, 120_000);
});
