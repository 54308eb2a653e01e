import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { useBrowser } from './support/browser.ts';
import { EditorPage } from './support/editorPage.ts';
import { takePictures } from './support/pictures.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { actionName, actionWorkflow, createCredential } from './support/workflows.ts';

const { displayName } = new MessagingServiceApi();

describe('the credential in the editor', () => {
	const browser = useBrowser();
	let editor: EditorPage;

	beforeAll(async () => {
		editor = await EditorPage.open(browser());
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
		await takePictures(editor, 'credential', editor.credentialDialog, 640);
		await editor.closeCredential();
	});

	// n8n's editor shows a selection of several that has its default as empty, and saves it so.
	it('keeps its sending policy when it is opened and saved again', async () => {
		const n8n = await loggedIn();
		const policy = await createCredential(n8n, 'Saved Again', { sendingPolicy: true });
		await editor.openCredential(policy.name);
		await editor.switchOn('simulate');
		expect(await editor.saveCredential()).toContain('Connection tested successfully');
		const rows = ['+447400123456', '+449098790000'].map((phoneNumber) => ({ phoneNumber }));
		const send = { resource: 'smsMessage', operation: 'send', message: 'Hello', sender: 'Shop' };
		const { id } = await n8n.createWorkflow(
			actionWorkflow(
				'Saved Again',
				policy,
				rows,
				{ ...send, phoneNumber: '={{ $json.phoneNumber }}' },
				{ onError: 'continueErrorOutput' },
			),
		);
		const execution = await n8n.runWorkflow(id, 'Start');
		const branch = (output: number) => execution.items(actionName, output).map(({ json }) => json);
		expect(branch(0)).toMatchObject([{ ...rows[0], simulated: true }]);
		expect(branch(1)).toMatchObject([{ ...rows[1], policyRule: 'blockedNumberTypes' }]);
	});
});
