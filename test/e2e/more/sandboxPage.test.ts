import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../host/sandbox.ts';
import { startServer, type LocalServer } from '../../support/servers';
import { voiceBody } from '../../support/voiceCampaign';
import { useBrowser } from '../support/browser.ts';
import { pictureFile } from '../support/pictures.ts';

const wide = { width: 1280, height: 720 };
const names = ['Olivia Brown', 'Noah Taylor', 'Amelia Wilson'];
/** The calls are made in May of the next year. */
const month = `${String(new Date().getFullYear() + 1)}-05`;

/** Something of everything, as a morning's work with n8n leaves it. */
async function fill(sandbox: Sandbox, webhookUrl: string): Promise<void> {
	const { api } = sandbox;
	await sandbox.registerWebhook(webhookUrl);
	for (const [index, name] of names.entries()) {
		await api.post('/api/PhoneNumberStorageItem', {
			storageID: `customer-${index + 1}`,
			number: `+44770090012${index}`,
			parameter1: name,
		});
	}
	await api.post('/api/SMSMessages', {
		sender: 'Shop',
		message: 'Hello Olivia, your table is booked: https://shop.example.com/t/8',
		phoneNumber: '+447700900123',
	});
	await api.post('/api/Campaigns', {
		sender: 'Shop',
		message: 'Spring sale: 20% off everything until Sunday.',
		contacts: ['111', '903', '905', '112', '934'].map((ending, index) => ({
			phoneNumber: `+447700900${ending}`,
			name: names[index % 3],
		})),
	});
	await api.post(
		'/api/campaigns/voice',
		voiceBody({
			name: 'Appointment reminders',
			startDate: `${month}-17`,
			smsOnBusy: 1,
			phoneNumbers: ['701', '703', '706', '714', '814', '808'].map((ending, index) => ({
				number: `+447700900${ending}`,
				name: names[index % 3],
			})),
		}),
	);
	await sandbox.advanceTo(`${month}-17T16:00:00Z`);
	await sandbox.idle();
}

describe("the sandbox's page", () => {
	let sandbox: Sandbox;
	let webhook: LocalServer;
	let answer: Promise<void>;
	const browser = useBrowser();
	let complaints: string[];

	beforeAll(async () => {
		sandbox = await startSandbox();
		webhook = await startServer(async (_request, response) => {
			await answer;
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"message":"Workflow was started"}');
		});
	});

	afterAll(async () => {
		await sandbox.stop();
		await webhook.close();
	});

	beforeEach(async () => {
		complaints = [];
		answer = Promise.resolve();
		await sandbox.reset();
		await fill(sandbox, `${webhook.url}/webhook/messaging-service?token=secret`);
	});

	afterEach(() => {
		expect(complaints).toEqual([]);
	});

	/** The page in a browser, and at the end every error that the browser reported. */
	async function open(options: BrowserContextOptions, address = '/'): Promise<Page> {
		const page = await browser().newPage({ viewport: wide, ...options });
		page.on('console', (message) => {
			if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
		});
		page.on('pageerror', (error) => complaints.push(error.message));
		await page.goto(`${sandbox.url}${address}`);
		return page;
	}

	/** Opens a section that is closed. */
	async function unfold(page: Page, title: string | RegExp): Promise<void> {
		await page.locator('.fold > summary').filter({ hasText: title }).click();
	}

	const firstDelivery = (page: Page): Locator =>
		page.locator('#deliveries tbody tr').first().filter({ visible: true });

	it('shows an event that it fires and the response to it, without a reload', async () => {
		const page = await open({});
		let release = (): void => undefined;
		answer = new Promise((resolve) => {
			release = resolve;
		});
		for (const title of ['Fire events', /^Deliveries/]) await unfold(page, title);
		await page.getByLabel('Outcome', { exact: true }).selectOption({ label: '3 Busy' });
		const form = page.locator('form', { hasText: 'Call attempted' });
		await form.getByLabel('Phone number').fill('+447700900777');
		await form.getByRole('button', { name: 'Fire call event' }).click();
		await page.getByRole('status').filter({ hasText: '1 event fired' }).waitFor();
		await unfold(page, /^Deliveries/);
		await page.evaluate(() => {
			document.title = 'not reloaded';
		});
		await firstDelivery(page).filter({ hasText: '+447700900777' }).waitFor();
		expect(await firstDelivery(page).innerText()).toMatch(/Busy[^]*Pending[^]*Not tried yet/);

		release();
		await firstDelivery(page).filter({ hasText: 'Acknowledged' }).waitFor();
		expect(await firstDelivery(page).innerText()).toContain('HTTP 200, try 1');
		expect(await firstDelivery(page).innerText()).not.toContain('Workflow was started');
		expect(JSON.parse(webhook.received.at(-1)?.body ?? '')).toMatchObject({
			webHookType: 0,
			data: { outCome: 3, phoneNumber: '+447700900777' },
		});

		// What is open and focused stays so while new rows come in.
		const summary = firstDelivery(page).locator('summary');
		const id = (await summary.getAttribute('id')) ?? '';
		await summary.click();
		expect(await firstDelivery(page).innerText()).toContain('Workflow was started');
		await sandbox.event({ webHookType: 1, data: { statusCode: 7, phoneNumber: '+447700900778' } });
		await firstDelivery(page).filter({ hasText: '+447700900778' }).waitFor();
		expect(await page.locator('#deliveries details[open] summary').getAttribute('id')).toBe(id);
		expect(await page.evaluate(() => document.activeElement?.id)).toBe(id);

		await page.getByRole('button', { name: 'Pause' }).click();
		await page.getByText('Paused', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Resume' }).click();
		await sandbox.event({ webHookType: 1, data: { phoneNumber: '+447700900779' } });
		await firstDelivery(page).filter({ hasText: '+447700900779' }).waitFor();
		expect(await page.title()).toBe('not reloaded');
		await page.close();
	});

	it('fits a phone, with the messages before the controls', async () => {
		const link = `https://shop.example.com/${'offer'.repeat(60)}`;
		const text = { sender: 'Shop', message: link, phoneNumber: '+447700900123' };
		await sandbox.api.post('/api/SMSMessages', text);
		const page = await open({ viewport: { width: 390, height: 800 } });
		const widths = await page
			.locator('td:visible')
			.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
		expect(Math.min(...widths)).toBeGreaterThan(200);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
		const top = async (selector: string) =>
			(await page.locator(selector).first().boundingBox())?.y ?? 0;
		expect(await top('#messages')).toBeLessThan(await top('#campaigns'));
		expect(await top('#campaigns')).toBeLessThan(await top('.fold'));
		await page.locator('.bubble', { hasText: link }).waitFor();

		await page.close();
	});

	it('opens what a link leads to', async () => {
		const page = await open({});
		expect(await page.getByText('Advance by').isVisible()).toBe(false);
		await page.getByRole('link', { name: 'Clock', exact: true }).click();
		await page.getByText('Advance by').waitFor();
		await page.close();
	});

	it('shows what the service did, for the picture', async () => {
		await sandbox.event({ webHookType: 1, data: { statusCode: 2 } });
		await sandbox.api.get('/nowhere');
		const page = await open({ colorScheme: 'light' });
		await page.getByText('Live', { exact: true }).waitFor();
		await page.screenshot({ path: pictureFile('sandbox-page.png') });
		await page.close();
	});
});
