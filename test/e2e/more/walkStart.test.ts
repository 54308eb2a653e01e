import { exampleWorkflow } from '../../../host/workflows.ts';
import type { EditorPage } from '../support/editorPage.ts';
import { takePictures } from '../support/pictures.ts';
import { sandbox } from '../support/host.ts';
import { openWorkflow, type OpenedWorkflow } from '../support/openedWorkflow.ts';

const csv = `Mobile,First name,City
07700 900121,Olivia,London
+44 7700 900122,Noah,Leeds
07700 900123,Amelia,York
,George,Bath
`;

const campaignCount = async () => (await sandbox().summary()).smsCampaigns;

describe('the steps of docs/getting-started.md, in the editor', () => {
	let opened: OpenedWorkflow;
	let editor: EditorPage;

	beforeAll(async () => {
		opened = await openWorkflow((credential) => exampleWorkflow('start-here.json', credential));
		({ editor } = opened);
	});

	afterEach(async () => {
		await editor.backToCanvas();
	});

	afterAll(async () => {
		await opened.close();
	});

	it('take the CSV of the reader', async () => {
		await editor.openNode('My Contacts');
		await editor.fillText('phone,name,custom1', csv);
		await takePictures(editor, 'start-csv', editor.details, 520);
	});

	it('show with Dry Run what would be sent, and send nothing', async () => {
		const before = await campaignCount();
		await editor.openNode('Create SMS Campaign');
		await editor.fill('phoneNumberField', 'Mobile');
		await editor.fill('message', 'Hello, our shop in your city opens on Monday');
		await editor.switchOn('dryRun');
		expect(await editor.execute()).toContain('executed successfully');
		await editor.showOutput('json', /"recipients":\D*3/);
		await editor.showOutput('schema');
		await editor.dismissMessages();
		await takePictures(editor, 'start-dry-run', editor.details, 690);
		expect(await campaignCount()).toBe(before);
	});

	it('create the campaign and list what was skipped', async () => {
		const before = await campaignCount();
		await editor.openNode('Create SMS Campaign');
		await editor.switchOn('dryRun');
		expect(await editor.execute()).toContain('executed successfully');
		await editor.showOutput('json', /"skippedCount":\D*1/);
		await takePictures(editor, 'start-created', editor.details, 620);
		expect(await campaignCount()).toBe(before + 1);
	});
});
