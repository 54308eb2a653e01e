import type { EditorPage, OutputView } from './support/editorPage.ts';
import { takePictures } from './support/pictures.ts';
import { bodies, postToService } from './support/host.ts';
import { openWorkflow, type OpenedWorkflow } from './support/openedWorkflow.ts';
import { actionsWorkflow, sandboxCredentialData } from './support/workflows.ts';

const rows = [
	{ phoneNumber: '+447700900001', firstName: 'Ada' },
	{ phoneNumber: '+447700900002', firstName: 'Grace' },
];

/** Nodes with nothing but their operation chosen: the rest is filled in by hand. */
const nodes = {
	'Send SMS message': { resource: 'smsMessage', operation: 'send' },
	'Create voice campaign': { resource: 'voiceCampaign', operation: 'create' },
	'Create voice campaign as saved': {
		...{ resource: 'voiceCampaign', operation: 'create', name: 'Saved', startDate: '2090-05-17' },
		// Saved when these fields were plain texts and numbers.
		...{ callflow_Id: 301, defaultCli_Id: '401', answerMachineDetected: 1, smsOnBusy: 1 },
	},
	'Create SMS campaigns from file': {
		...{ resource: 'smsCampaign', operation: 'create', contactsSource: 'file' },
		...{ message: 'Our summer sale starts on Monday', sender: 'MyCompany' },
		...{ phoneNumberField: 'Mobile', fileOptions: { problemsFile: true } },
		options: { defaultCountry: 'GB', duplicates: 'skip', unusable: 'skip' },
	},
	'Send within hours': {
		...{ resource: 'smsMessage', operation: 'send', message: 'Within hours', sender: 'Shop' },
		phoneNumber: "={{ $json.phoneNumber.replace('0000', '0005') }}",
	},
	'Get stored phone number': { resource: 'phoneNumberStorage', operation: 'get' },
};

const views: OutputView[] = ['schema', 'json', 'table'];
const guid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;

/** More than one page of the list that a resource locator loads. */
const storedNumbers = 120;

/** Stores numbers with the IDs `customer-1`, `customer-2`, ... */
async function storeNumbers(): Promise<void> {
	await Promise.all(
		Array.from({ length: storedNumbers }, async (_, index) => {
			const number = `+4477009${String(10_000 + index)}`;
			await postToService('PhoneNumberStorageItem', {
				storageID: `customer-${String(index + 1)}`,
				number,
			});
		}),
	);
}

describe('operations filled in and executed in the editor', () => {
	let opened: OpenedWorkflow;
	let editor: EditorPage;

	/** Executes the opened node; its output must show this in every view. */
	async function executeAndSee(expected: (string | RegExp)[]): Promise<void> {
		expect(await editor.execute()).toContain('executed successfully');
		for (const view of views) await editor.showOutput(view, ...expected);
		await editor.dismissMessages();
	}

	beforeAll(async () => {
		opened = await openWorkflow((credential) =>
			actionsWorkflow('Operations by hand', credential, rows, nodes),
		);
		({ editor } = opened);
	});

	afterEach(async () => {
		await editor.backToCanvas();
	});

	afterAll(async () => {
		await opened.close();
	});

	it('says that a phone number is damaged', async () => {
		await editor.openNode('Send SMS message');
		await editor.fill('phoneNumber', '4.47701E+11');
		await editor.fill('message', 'Our summer sale starts on Monday');
		await editor.fill('sender', 'MyCompany');
		expect(await editor.execute()).toContain('Phone Number');
		const said = await editor.failure('Phone Number');
		expect(said).toContain('has lost digits (4.47701E+11)');
		await editor.dismissMessages();
		await takePictures(editor, 'error-damaged-number', editor.details, 520);
	});

	it('sends SMS messages', async () => {
		await editor.openNode('Send SMS message');
		await editor.fill('phoneNumber', '+447700900001');
		await executeAndSee(['newId', guid]);
		expect(await editor.issueCount()).toBe(0);
	});

	it('creates a voice campaign from rows', async () => {
		await editor.openNode('Create voice campaign');
		await editor.fill('name', `Reminders ${String(Date.now())}`);
		await editor.fillDate('startDate', '2090-05-17');
		await editor.fillId('callflow_Id', '301');
		await editor.fillId('defaultCli_Id', '401');
		await editor.fill('answerMachineDetected', '1');
		await editor.fill('smsOnBusy', '1');
		await executeAndSee(['firstCall', '2090-05-17', 'recipients']);
	});

	it('shows what was saved as plain text, and call flows of earlier campaigns', async () => {
		await editor.openNode('Create voice campaign as saved');
		expect(await editor.located('callflow_Id')).toBe('301');
		expect(await editor.located('defaultCli_Id')).toBe('401');
		expect(await editor.issueCount()).toBe(0);
		await editor.openList('callflow_Id', 'list');
		expect(await editor.listEntries().first().innerText()).toMatch(
			/^301 - Reminders \d+ - 2090-05-17$/,
		);
	});

	it('shows what a campaign from a file needs', async () => {
		await editor.openNode('Create SMS campaigns from file');
		expect(await editor.labels()).toEqual(
			expect.arrayContaining(['File', 'File Options', 'Problems File']) as string[],
		);
	});

	it('lets stored numbers be picked from a list, by searching and page by page', async () => {
		await storeNumbers();
		await editor.openNode('Get stored phone number');
		await editor.openList('storageId');
		await editor.scrollListTo(storedNumbers);
		const found = await editor.searchList('customer-117');
		expect(await found.innerText()).toContain('customer-117');
		await found.click();
		await executeAndSee(['storageID', 'customer-117']);
	});

	it('texts nobody again with a second Execute step, with Hours Between Texts', async () => {
		await opened.n8n.updateCredential(opened.credential, {
			...sandboxCredentialData(),
			...{ clientId: '7301', serviceConventions: true, serviceTimeZone: 'UTC' },
			...{ sendingPolicy: true, hoursBetweenTexts: 20 },
		});
		await editor.openNode('Send within hours');
		expect(await editor.execute()).toContain('executed successfully');
		await editor.startExecution();
		expect(await editor.failure('another text within 20 hours')).toContain('+447700900051');
		const texts = (await bodies()).filter(({ message }) => message === 'Within hours');
		expect(texts).toHaveLength(rows.length);
	});
});
