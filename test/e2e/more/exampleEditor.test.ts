import path from 'node:path';
import { DateTime } from 'luxon';
import { selectors, type Page } from 'playwright-core';
import type { CredentialSummary, N8nClient, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { openEditor, useBrowser } from '../support/browser.ts';
import {
	agentFile,
	runnableExamples,
	withChatModel,
	withExample,
	withN8nApi,
	withWebhookCredentials,
} from '../support/examples.ts';
import { bodies, host, loggedIn } from '../support/host.ts';
import { startModelServer, type ModelServer } from '../support/modelServer.ts';
import { pictureFile, shrinkPicture } from '../support/pictures.ts';
import { createCredential } from '../support/workflows.ts';

/** n8n ignores an approval by what it takes for a link preview, and headless Chromium says it is a robot. */
const ordinaryBrowser =
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const message = 'Spring offer: 20 % off until Sunday';
/** What the agent writes: Markdown that would hide digits, and a number that reads the other way round. */
const proposal = { phoneNumber: '[+44770090](0\u202e001)', message };
const sent = { phoneNumber: '+447700900001', message, sender: 'MyCompany' };

describe('the example workflows in the editor', () => {
	let n8n: N8nClient;
	let model: ModelServer;
	let credential: CredentialSummary;
	let modelCredential: CredentialSummary;
	let viewers: CredentialSummary;
	let shop: CredentialSummary;
	let api: CredentialSummary;
	const browser = useBrowser();
	let page: Page;

	beforeAll(async () => {
		selectors.setTestIdAttribute('data-test-id');
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Example Editor');
		model = await startModelServer(
			{ toolParameters: proposal, hitlParameters: {} },
			'Done as you wished.',
		);
		modelCredential = await n8n.createCredential('Example Model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
			header: false,
		});
		shop = await n8n.createCredential('Example Shop', 'httpHeaderAuth', {
			...{ name: 'X-Shop', value: 'made up' },
		});
		api = await n8n.createCredential('Example API', 'n8nApi', {
			...{ apiKey: 'made up', baseUrl: `${host().n8nUrl}/api/v1` },
		});
		viewers = await n8n.createCredential('Example Viewers', 'httpBasicAuth', {
			user: 'viewer',
			password: 'Sandbox-1234',
		});
		page = await openEditor(browser());
		await page.setExtraHTTPHeaders({ 'User-Agent': ordinaryBrowser });
	});

	afterAll(async () => {
		await model.stop();
	});

	async function open(workflowId: string): Promise<void> {
		await page.goto(`${host().n8nUrl}/workflow/${workflowId}`);
		await page.getByTestId('canvas-node').first().waitFor();
	}

	/** How large the whole workflow is on the screen, of itself or after a click: 1 is its own size. */
	async function zoom(): Promise<number> {
		// n8n moves the canvas smoothly: it is there once it stands still.
		const canvas = page.locator('.vue-flow__transformationpane');
		let last = '';
		return await poll(
			async () => {
				const place = await canvas.evaluate((element) => getComputedStyle(element).transform);
				const isStill = place === last;
				last = place;
				return isStill ? Number(/matrix\(([\d.]+)/.exec(place)?.[1]) : undefined;
			},
			{ what: 'the canvas to stand still', timeout: 120_000 },
		);
	}

	/** A picture of the workflow alone, large enough to be read. */
	async function takeCanvas(file: string): Promise<void> {
		const boxes = await page
			.locator('.vue-flow__node')
			.evaluateAll((nodes) =>
				nodes.map((node) => node.getBoundingClientRect().toJSON() as DOMRect),
			);
		const margin = 24;
		const canvas = await page.locator('.vue-flow').boundingBox();
		if (canvas === null) throw new Error('The canvas is not there.');
		const x = Math.min(...boxes.map(({ left }) => left)) - margin;
		const y = Math.min(...boxes.map(({ top }) => top)) - margin;
		await page.screenshot({
			path: file,
			style:
				'.vue-flow__panel, [data-test-id=canvas-background], [class*=executionButtons] { visibility: hidden !important }',
			clip: {
				...{ x, y },
				width: Math.max(...boxes.map(({ right }) => right)) + 3 * margin - x,
				// A connection back to an earlier node runs below the nodes.
				height:
					Math.min(
						Math.max(...boxes.map(({ bottom }) => bottom)) + 4 * margin,
						canvas.y + canvas.height,
					) - y,
			},
		});
	}

	/** How many notes have more text than room for it. */
	async function cutNotes(): Promise<number> {
		return await page
			.getByTestId('sticky')
			.evaluateAll(
				(notes) =>
					notes.filter((note) =>
						Array.from(note.querySelectorAll('*')).some(
							({ scrollHeight, clientHeight }) =>
								clientHeight > 0 && scrollHeight > clientHeight + 1,
						),
					).length,
			);
	}

	it.each(runnableExamples())('open without an issue on any node: %s', async (file) => {
		await withExample(
			n8n,
			file,
			credential,
			async ({ id, nodes }) => {
				await page.setViewportSize({ width: 1280, height: 800 });
				await open(id);
				const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
				await poll(
					async () =>
						(await page.getByTestId('canvas-node').count()) === nodes.length - notes.length
							? true
							: undefined,
					{ what: 'all nodes to be shown', timeout: 120_000 },
				);
				expect(await page.getByTestId('sticky').count()).toBe(notes.length);
				// Until the credentials are loaded, the editor misses them.
				await poll(async () => (await page.getByTestId('node-issues').count()) === 0 || undefined, {
					what: 'no issue on any node',
					timeout: 10_000,
				});
				expect(await cutNotes()).toBe(0);
				expect(await zoom()).toBeGreaterThanOrEqual(0.6);
				await page.setViewportSize({ width: 1900, height: 1700 });
				await page.getByTestId('zoom-to-fit').click();
				await zoom();
				const picture = pictureFile(`example-${path.basename(file, '.json')}.png`);
				await takeCanvas(picture);
				shrinkPicture(picture);
			},
			(workflow) =>
				withN8nApi(api)(
					withWebhookCredentials(withChatModel(workflow, modelCredential), viewers, shop),
				),
		);
	});

	it('draw a report that fits into a page', async () => {
		/** Its campaigns are those of the day that the report is about. */
		const day = DateTime.now().setZone('America/New_York');
		const ofToday = (workflow: WorkflowContent): WorkflowContent => ({
			...workflow,
			pinData: JSON.parse(
				JSON.stringify(workflow.pinData).replaceAll('2026-01-05', day.toFormat('yyyy-MM-dd')),
			) as WorkflowContent['pinData'],
		});
		await withExample(
			n8n,
			'nightly-campaign-report.json',
			credential,
			async ({ id }) => {
				const execution = await n8n.runWorkflow(id, 'Every Night');
				expect(execution.error).toBeUndefined();
				const [written] = execution.items('Build Report');
				const [file] = execution.items('Report File');
				expect(file).toMatchObject({
					binary: { data: { mimeType: 'text/html', fileExtension: 'html' } },
				});

				const report = await browser().newPage({ viewport: { width: 800, height: 640 } });
				await report.setContent(String(written?.json.html));
				const counts = report.locator('section', { hasText: 'Calls by outcome' }).locator('.count');
				expect(await counts.allTextContents()).toEqual(['14', '7', '5', '3', '1', '1', '1', '1']);
				expect(await report.locator('.list').innerText()).toContain(
					`MyShop, ${day.toFormat('d MMMM')}, 09:00`,
				);
				// Nothing is wider than the page, or than a phone.
				for (const width of [390, 800]) {
					await report.setViewportSize({ width, height: 640 });
					const shown = await report.evaluate(() => document.documentElement.scrollWidth);
					expect(shown).toBe(width);
				}
				await report.screenshot({ path: pictureFile('example-report.png'), fullPage: true });
				await report.close();
			},
			ofToday,
		);
	});

	/** Asks the agent in the chat of the editor, and presses a button when it wants to send. */
	async function chat(workflowId: string, button: 'Send' | 'Decline'): Promise<void> {
		await page.setViewportSize({ width: 1280, height: 760 });
		await open(workflowId);
		const input = page.getByTestId('chat-input');
		const openChat = page.getByTestId('workflow-chat-button').filter({ hasText: 'Open chat' });
		// A click while the editor is still loading is lost.
		await poll(
			async () => {
				if (await input.isVisible()) return true;
				if (await openChat.isVisible()) await openChat.click();
				return undefined;
			},
			{ what: 'the chat to open', timeout: 120_000, interval: 1000 },
		);
		await input.fill('Tell Ada about our spring offer: 20 % off until Sunday');
		await input.press('Enter');
		const body = page.getByTestId('canvas-chat-body');
		await body.getByText(`Send this SMS to ${sent.phoneNumber}, from MyCompany`).waitFor();
		// As it is, in quotation marks: Markdown hides nothing of it.
		await body.getByText(JSON.stringify(message)).waitFor();
		expect(await bodies()).toHaveLength(sentBefore);
		const answer = body.getByRole('button', { name: button });
		await answer.click();
		await body.getByText('Done as you wished.').waitFor();
	}
	let sentBefore = 0;

	it('let an agent send what a person approves, and nothing else', async () => {
		await withExample(
			n8n,
			agentFile,
			credential,
			async ({ id }) => {
				sentBefore = (await bodies()).length;
				await chat(id, 'Decline');
				expect(await bodies()).toHaveLength(sentBefore);
				const told = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
				expect(JSON.stringify(told)).toMatch(/rejected/);

				await chat(id, 'Send');
				expect((await bodies()).slice(sentBefore)).toEqual([sent]);
			},
			(workflow) => withChatModel(workflow, modelCredential),
		);
	});
});
