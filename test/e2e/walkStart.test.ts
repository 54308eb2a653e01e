import type { Browser } from 'playwright-core';
import { exampleWorkflow } from '../../host/workflows.ts';
import type { CredentialSummary, N8nClient } from '../../host/n8nClient.ts';
import { startBrowser } from './support/browser.ts';
import { EditorPage } from './support/editorPage.ts';
import { takePictures } from './support/gallery.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { createCredential } from './support/workflows.ts';

const csv = `Mobile,First name,City
07700 900121,Ada,London
+44 7700 900122,Blaise,Leeds
,Charles,York
`;

describe('the steps of docs/getting-started.md, in the editor', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let workflowId: string;
	let browser: Browser;
	let editor: EditorPage;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Messaging Service account');
		({ id: workflowId } = await n8n.createWorkflow(exampleWorkflow('start-here.json', credential)));
		browser = await startBrowser();
		editor = await EditorPage.open(browser);
		await editor.openWorkflow(workflowId);
	}, 120_000);

	afterEach(async () => {
		await editor.backToCanvas();
	});

	afterAll(async () => {
		await browser.close();
		await n8n.deleteWorkflow(workflowId);
		await n8n.deleteCredential(credential.id);
	});

	it('take the CSV of the reader', async () => {
		await editor.openNode('My Contacts');
		await editor.fillText('phone,name,custom1', csv);
		await takePictures(editor, 'start-csv', editor.details, 520);
	}, 120_000);

	it('show with Dry Run what would be sent, and send nothing', async () => {
		const before = await sandbox().smsCampaignCount();
		await editor.openNode('Create SMS Campaign');
		await editor.fill('phoneNumberField', 'Mobile');
		await editor.fill('message', 'Hello, our shop in your city opens on Monday');
		await editor.switchOn('dryRun');
		expect(await editor.execute()).toContain('Node executed successfully');
		expect(await editor.outputAs('json')).toMatch(/"recipients":\D*2/);
		await takePictures(editor, 'start-dry-run', editor.details, 620);
		expect(await sandbox().smsCampaignCount()).toBe(before);
	}, 120_000);

	it('create the campaign and list what was skipped', async () => {
		const before = await sandbox().smsCampaignCount();
		await editor.openNode('Create SMS Campaign');
		await editor.switchOn('dryRun');
		expect(await editor.execute()).toContain('Node executed successfully');
		expect(await editor.outputAs('json')).toMatch(/"skippedCount":\D*1/);
		await takePictures(editor, 'start-created', editor.details, 620);
		expect(await sandbox().smsCampaignCount()).toBe(before + 1);
	}, 120_000);
});
