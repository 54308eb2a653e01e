import type { N8nClient, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { openEditor, useBrowser } from '../support/browser.ts';
import { withExample } from '../support/examples.ts';
import { itIfRunnable, uploaded } from '../support/exampleSuite.ts';
import { formUrl, useForms } from '../support/formPages.ts';
import { host, loggedIn, postToService, sandbox } from '../support/host.ts';
import { boxOf, pictureFile, takePictures } from '../support/pictures.ts';
import { openWorkflow } from '../support/openedWorkflow.ts';
import { actionName, actionWorkflow, createCredential } from '../support/workflows.ts';

const previewFile = 'send-from-a-form-with-preview.json';
const approvalFile = 'campaign-with-approval.json';
const sheetFile = 'write-results-back-to-the-sheet.json';
const sheetName = 'Spring sale';

const people = [
	...[
		{ phone: '07700 900121', name: 'Olivia' },
		{ phone: '+44 7700 900122', name: 'Noah' },
	],
	...[
		{ phone: '07700 900905', name: 'Amelia' },
		{ phone: '07700 900123', name: 'George' },
	],
	...[
		{ phone: '07700 900124', name: 'Isla' },
		{ phone: '07700 900903', name: 'Arthur' },
	],
	...[
		{ phone: '07700 900125', name: 'Freya' },
		{ phone: '07700 900126', name: 'Theo' },
	],
];

/** Of twenty people, some do not pick up, want to be called back, or opt out. */
const endings = [100, 706, 801, 100, 703, 100, 818, 706, 100, 814, 704, 706];

/** People who are called; the end of a number decides what comes of it. */
const called = Array.from({ length: 120 }, (_, index) => ({
	number: `+447${String(700 + index)}900${String(endings[index % 20] ?? 100)}`,
}));

/** People who want texts, and one whose number a spreadsheet has damaged. */
const subscribers = [
	...Array.from({ length: 240 }, (_, index) => ({ number: `+447700900${String(100 + index)}` })),
	{ number: '4.47701E+11' },
];

/** Pictures of what somebody who is not building the workflow gets to see. */
describe('pictures of results', () => {
	let n8n: N8nClient;
	const browser = useBrowser();
	const forms = useForms(browser);

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	itIfRunnable(sheetFile)('a sheet with the status of each text', async () => {
		const ownSheet = (workflow: WorkflowContent): WorkflowContent => {
			const text = JSON.stringify(uploaded(people)(workflow));
			return JSON.parse(text.replaceAll('Customers Sheet', sheetName)) as WorkflowContent;
		};
		const credential = await createCredential(n8n, 'Sheet');
		const page = await openEditor(browser());
		await withExample(
			n8n,
			sheetFile,
			credential,
			async ({ id }) => {
				expect(await n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
				await n8n.runWorkflow(id, 'Upload a List');
				await page.setViewportSize({ width: 1280, height: 620 });
				await page.goto(`${host().n8nUrl}/home/datatables`);
				await page.getByTestId('data-table-card-name').getByText(sheetName).click();
				await page.getByText('Undeliverable').first().waitFor();
				await poll(
					async () => {
						await page.reload();
						await page.getByText('Undeliverable').first().waitFor();
						const open = await page.getByText('No result yet').count();
						return open === 0 ? true : undefined;
					},
					{ what: 'the status of each text', timeout: 60_000 },
				);
				// Without the columns that every data table has.
				const columns = page.getByRole('columnheader');
				const last = columns.filter({ hasText: 'updated' }).first();
				const clip = await boxOf([columns.first(), last], 'sheet-with-statuses');
				const height = clip.height + people.length * 33;
				const path = pictureFile('sheet-with-statuses.png');
				await page.screenshot({ path, clip: { ...clip, height } });
			},
			ownSheet,
		);
		await page.close();
	});

	itIfRunnable(previewFile)('the page that shows a campaign before it goes out', async () => {
		const data = { pricePerPart: 0.04, currency: 'EUR', defaultCountry: 'GB' };
		const credential = await createCredential(n8n, 'Preview', data);
		const list = [
			'phone,name,consent',
			...subscribers.map(({ number }, index) => `${number},,${index % 12 === 0 ? 'no' : 'yes'}`),
		].join('\n');
		await withExample(n8n, previewFile, credential, async (workflow) => {
			expect(await n8n.activateWorkflow(workflow.id)).toMatchObject({ status: 'published' });
			await forms().submit(formUrl(workflow, 'Form'), {
				'Your list (CSV or Excel)': { name: 'subscribers.csv', text: list },
				Text: 'Our spring menu is here. Book a table: dessert is on us.',
			});
			await forms().textWith('Is this right?');
			const { page } = forms();
			await page.setViewportSize({ width: 640, height: 900 });
			const card = page.locator('.card').first();
			await card.screenshot({ path: pictureFile('form-preview.png') });
		});
	});

	itIfRunnable(approvalFile)('the page on which a campaign is approved', async () => {
		const data = { pricePerPart: 0.04, currency: 'EUR', defaultCountry: 'GB' };
		const credential = await createCredential(n8n, 'Approval', data);
		const withSubscribers = (workflow: WorkflowContent): WorkflowContent => ({
			...workflow,
			pinData: {
				'People Who Said Yes': subscribers.map((json) => ({ json })),
			},
		});
		await withExample(
			n8n,
			approvalFile,
			credential,
			async ({ id, nodes }) => {
				await n8n.activateWorkflow(id);
				const asked = await n8n.runWorkflow(id, 'Start');
				const [{ json = {} } = {}] = asked.items('Ask');
				const { parameters } = nodes.find(({ name }) => name === 'Page') ?? {};
				const page = await browser().newPage({ viewport: { width: 600, height: 900 } });
				const path = String(parameters?.path);
				await page.goto(`${host().n8nUrl}/webhook/${path}?c=${String(json.code)}`);
				await page.locator('body').screenshot({ path: pictureFile('approval-page.png') });
				await page.close();
			},
			withSubscribers,
		);
	});

	it('the summary of a voice campaign', async () => {
		const { id } = await postToService<{ id: number }>('campaigns/voice', {
			...{ name: 'Appointments on Friday', callflow_Id: 301, defaultCli_Id: 401 },
			...{ startDate: '2030-05-17', startTime: '09:00', finishTime: '17:00' },
			...{ answerMachineDetected: 1, smsOnBusy: 0, phoneNumbers: called },
		});
		await sandbox().advance((Date.parse('2030-05-18') - Date.now()) / 1000);
		await sandbox().idle();
		const { editor, close } = await openWorkflow((credential) =>
			actionWorkflow('Appointments', credential, [{}], {
				...{ resource: 'voiceCampaign', operation: 'getSummary' },
				campaignId: { __rl: true, mode: 'id', value: String(id) },
			}),
		);
		await editor.page.setViewportSize({ width: 1280, height: 1400 });
		await editor.openNode(actionName);
		expect(await editor.execute()).toContain('executed successfully');
		await editor.dismissMessages();
		await editor.showOutput('json', 'Answered');
		await takePictures(editor, 'summary', editor.output, 815);
		await close();
	});
});
