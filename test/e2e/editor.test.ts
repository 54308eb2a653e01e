import type { Browser, Locator, Page } from 'playwright-core';
import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { exampleWorkflow } from '../../host/workflows.ts';
import { openEditor, startBrowser } from './support/browser.ts';
import { host, loggedIn } from './support/host.ts';
import { createCredential } from './support/workflows.ts';

/** The file of an icon that the browser could load and that has a size. */
async function iconFileOf(icon: Locator): Promise<string> {
	await icon.waitFor({ state: 'attached' });
	return await icon.evaluate(async (element) => {
		const image = element as HTMLImageElement;
		await image.decode();
		return image.naturalWidth > 0 ? image.src : 'an empty image';
	});
}

describe('the node panel of the editor', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let workflowId: string;
	let browser: Browser | undefined;
	let page: Page;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Editor Tests');
		const example = exampleWorkflow('sms-campaign-from-1000-rows.json', credential);
		({ id: workflowId } = await n8n.createWorkflow(example));
		browser = await startBrowser();
		page = await openEditor(browser);
	});

	afterAll(async () => {
		await browser?.close();
		await n8n.deleteWorkflow(workflowId);
		await n8n.deleteCredential(credential.id);
	});

	it.each([
		['light', 'messagingService.svg'],
		['dark', 'messagingService.dark.svg'],
	] as const)(
		'shows the nodes with their names and icons in the %s theme',
		async (colorScheme, iconFile) => {
			await page.emulateMedia({ colorScheme });
			await page.goto(`${host().n8nUrl}/workflow/${workflowId}`);
			await page.getByTestId('canvas-node').first().waitFor();

			await page.getByTestId('node-creator-plus-button').click();
			await page.getByTestId('node-creator-search-bar').fill('messaging service');
			const panel = page.getByTestId('node-creator');
			const names = panel.getByTestId('node-creator-item-name');
			await names.filter({ hasText: 'Messaging Service' }).first().waitFor();
			expect((await names.allInnerTexts()).sort()).toEqual([
				'Messaging Service',
				// n8n leaves the last word of "Messaging Service Poll Trigger" out.
				'Messaging Service Poll',
			]);
			const found = panel
				.getByTestId('item-iterator-item')
				.filter({ has: page.getByText('Messaging Service', { exact: true }) });
			expect(await iconFileOf(found.locator('img').first())).toMatch(new RegExp(`/${iconFile}$`));

			// n8n shows an action node and its trigger as one entry, with two lists of what they do.
			await found.click();
			await panel.getByText(/^Actions \(\d+\)$/).waitFor();
			await panel.getByText(/^Triggers \(2\)$/).click();
			await panel.getByText('On call attempted', { exact: true }).waitFor();
			const entries = await panel.getByTestId('node-creator-item-name').allInnerTexts();
			expect(entries).toEqual(
				expect.arrayContaining([
					'Create SMS campaign',
					'Get SMS campaign',
					'Send SMS message',
					'On call attempted',
					'On SMS status',
				]),
			);
			for (const icon of await panel.locator('img').all()) {
				expect(await iconFileOf(icon)).toMatch(new RegExp(`/${iconFile}$`));
			}
		},
	);
});
