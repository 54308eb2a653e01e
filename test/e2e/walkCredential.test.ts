import { isDeepStrictEqual } from 'node:util';
import type { INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import type { N8nClient } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import { startBrowser } from './support/browser.ts';
import { EditorPage } from './support/editorPage.ts';
import { takePictures } from './support/gallery.ts';
import { host, loggedIn } from './support/host.ts';

const { displayName, properties } = new MessagingServiceApi();

const authentications = (properties.find(({ name }) => name === 'authentication')?.options ??
	[]) as INodePropertyOptions[];

/** The names of the fields of a new credential with this authentication; its headings are notices. */
function expectedLabels(authentication: string): string[] {
	const values = NodeHelpers.getNodeParameters(
		properties,
		{ authentication },
		true,
		false,
		null,
		null,
	);
	return properties
		.filter(({ type }) => type !== 'notice')
		.filter((property) => NodeHelpers.displayParameter(values ?? {}, property, null, null))
		.map((property) => property.displayName);
}

describe('the credential in the editor', () => {
	let n8n: N8nClient;
	/** The ID of the credential, once the editor has saved it. */
	let saved: string | undefined;
	let browser: Browser;
	let editor: EditorPage;

	beforeAll(async () => {
		n8n = await loggedIn();
		browser = await startBrowser();
		editor = await EditorPage.open(browser);
	});

	afterAll(async () => {
		await browser.close();
		if (saved !== undefined) await n8n.deleteCredential(saved);
	});

	it('asks first for what it needs', async () => {
		await editor.addCredential(displayName);
		const labels = await editor.credentialLabels();
		// n8n adds a field of its own at the end.
		expect(labels.slice(0, -1)).toEqual(expectedLabels('header'));
		expect(labels.slice(0, 4)).toEqual([
			'Base URL',
			'Authentication',
			'Header Name',
			'Header Value',
		]);
		expect(await editor.cutTexts(editor.credentialDialog)).toEqual([]);
	});

	it('shows the fields of the chosen authentication only', async () => {
		for (const { name, value } of authentications) {
			await editor.choose('authentication', name);
			const expected = expectedLabels(String(value));
			await poll(
				async () =>
					isDeepStrictEqual((await editor.credentialLabels()).slice(0, -1), expected)
						? true
						: undefined,
				{ what: `the fields of ${name}: ${expected.join(', ')}`, timeout: 120_000 },
			);
		}
		await editor.choose('authentication', 'Header');
		await editor.field('headerSecret').waitFor();
	});

	it('says that a key is wrong, and what to do', async () => {
		await editor.fill('baseUrl', host().sandboxUrl);
		await editor.fill('headerSecret', 'not-the-key');
		const saving = editor.page.waitForResponse(
			(response) =>
				response.request().method() === 'POST' && response.url().endsWith('/rest/credentials'),
		);
		const message = await editor.saveCredential();
		const made = (await (await saving).json()) as { data: { id: string } };
		saved = made.data.id;
		expect(message).toContain('The service did not accept the authentication');
		await editor.dismissMessages();
	});

	it('says that a key is right', async () => {
		await editor.fill('headerSecret', host().sandboxKey);
		expect(await editor.saveCredential()).toContain('Connection tested successfully');
		await editor.dismissMessages();
		await takePictures(editor, 'credential', editor.credentialDialog);
		await editor.closeCredential();
	});
});
