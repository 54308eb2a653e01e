import type { Browser } from 'playwright-core';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { startBrowser } from './support/browser.ts';
import { EditorPage } from './support/editorPage.ts';
import { takePictures } from './support/pictures.ts';
import { sandbox } from './support/host.ts';

const { displayName } = new MessagingServiceApi();

describe('the credential in the editor', () => {
	let browser: Browser;
	let editor: EditorPage;

	beforeAll(async () => {
		browser = await startBrowser();
		editor = await EditorPage.open(browser);
	});

	afterAll(async () => {
		await browser.close();
	});

	it('asks first for what it needs', async () => {
		await editor.addCredential(displayName);
		const labels = await editor.credentialLabels();
		expect(labels.slice(0, 4)).toEqual([
			'Base URL',
			'Authentication',
			'Header Name',
			'Header Value',
		]);
		expect(await editor.cutTexts(editor.credentialDialog)).toEqual([]);
	});

	it('shows the fields of the chosen authentication only', async () => {
		await editor.choose('authentication', 'Query Parameter');
		await editor.field('querySecret').waitFor();
		await editor.field('headerSecret').waitFor({ state: 'hidden' });
		await editor.choose('authentication', 'Header');
		await editor.field('headerSecret').waitFor();
	});

	it('says that a key is wrong, and what to do', async () => {
		await editor.fill('baseUrl', sandbox().url);
		await editor.fill('headerSecret', 'not-the-key');
		expect(await editor.saveCredential()).toContain(
			'The service did not accept the authentication',
		);
		await editor.dismissMessages();
	});

	it('says that a key is right', async () => {
		await editor.renameCredential('Messaging Service account');
		await editor.fill('headerSecret', sandbox().apiKey);
		expect(await editor.saveCredential()).toContain('Connection tested successfully');
		await editor.dismissMessages();
		await editor.page.setViewportSize({ width: 1280, height: 1000 });
		// What readers have instead of the sandbox's address. Nothing is saved.
		await editor
			.field('baseUrl')
			.locator('input')
			.evaluate((input: HTMLInputElement) => {
				input.value = 'https://messaging.example.com';
			});
		await takePictures(editor, 'credential', editor.credentialDialog);
		await editor.closeCredential();
	});
});
