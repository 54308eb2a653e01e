import type { EditorPage } from '../support/editorPage.ts';
import { takePictures } from '../support/pictures.ts';
import { openWorkflow, type OpenedWorkflow } from '../support/openedWorkflow.ts';
import { actionName, actionWorkflow, rowsWorkflow } from '../support/workflows.ts';

const names = [
	...['Olivia', 'Noah', 'Amelia', 'George', 'Isla'],
	...['Arthur', 'Freya', 'Theo', 'Ivy', 'Leo'],
];
const customers = names.map((name, index) => ({ name, phone: `07700 90012${String(index)}` }));

let opened: OpenedWorkflow | undefined;

/** Opens the node of a workflow with these customers in the editor, and executes it. */
async function openExecuted(
	rows: Record<string, string>[],
	parameters: Record<string, unknown>,
): Promise<EditorPage> {
	opened = await openWorkflow((credential) =>
		actionWorkflow('Customers', credential, rows, {
			sender: 'BellaCucina',
			...parameters,
		}),
	);
	const { editor } = opened;
	await editor.page.setViewportSize({ width: 1280, height: 1300 });
	await editor.openNode(actionName);
	expect(await editor.execute()).toContain('executed successfully');
	await editor.dismissMessages();
	return editor;
}

/** Pictures of the editor that show more than a test needs to see. */
describe('pictures of the editor', () => {
	afterEach(async () => {
		await opened?.close();
	});

	it('a voice campaign', async () => {
		opened = await openWorkflow(
			(credential) =>
				actionWorkflow('Appointments', credential, customers, {
					...{ resource: 'voiceCampaign', operation: 'create', name: 'Appointments on Friday' },
					...{ startDate: '2030-05-17', startTime: '09:00', finishTime: '17:00' },
					...{ answerMachineDetected: '1', smsOnBusy: '0', phoneNumberField: 'phone' },
					callflow_Id: { __rl: true, mode: 'id', value: '301' },
					defaultCli_Id: { __rl: true, mode: 'id', value: '401' },
				}),
			{ height: 1500 },
		);
		const { editor } = opened;
		await editor.openNode(actionName);
		expect(await editor.issueCount()).toBe(0);
		await takePictures(editor, 'form-voice', editor.parameterPanel, await editor.formHeight());
	});

	it('what a search for a node finds, and what the node can do', async () => {
		opened = await openWorkflow(() => rowsWorkflow('Customers', customers));
		const { editor } = opened;
		await editor.openNodePanel();
		const actions = await editor.listActions('Messaging Service', 'Actions');
		expect(actions[0]).toBe('Send SMS message');
		await takePictures(editor, 'find-the-node', editor.nodePanel, 620);
	});

	it('a Google Sheet as the source of the rows', async () => {
		const sheet = 'Customers Sheet';
		opened = await openWorkflow((credential) => {
			const workflow = actionWorkflow('Customers', credential, customers, {
				...{ resource: 'smsMessage', operation: 'send', sender: 'BellaCucina', dryRun: true },
				...{ phoneNumber: '={{ $json.phone }}', options: { defaultCountry: 'GB' } },
				message: "=Hello {{ $json.name || 'there' }}, our new menu is here.",
			});
			const { nodes } = workflow;
			const text = JSON.stringify({
				...workflow,
				nodes: nodes.map((node) =>
					node.name === 'Rows'
						? { ...node, type: 'n8n-nodes-base.googleSheets', typeVersion: 4.7, parameters: {} }
						: node,
				),
				pinData: {
					Rows: customers.map((customer, index) => ({
						json: { row_number: index + 2, ...customer },
					})),
				},
			});
			return JSON.parse(text.replaceAll('"Rows"', `"${sheet}"`)) as typeof workflow;
		});
		const { editor } = opened;
		await editor.page.setViewportSize({ width: 1280, height: 800 });
		await editor.openNode(actionName);
		expect(await editor.execute()).toContain('executed successfully');
		await editor.dismissMessages();
		await editor.showOutput('table', 'Hello Olivia, our new menu is here.');
		await takePictures(editor, 'google-sheet', editor.details);
	});

	it('the dry run of Send, in the table view', async () => {
		const damaged = [...customers.slice(0, 2), { name: 'Amelia', phone: '4.47701E+11' }];
		const editor = await openExecuted(damaged, {
			...{ resource: 'smsMessage', operation: 'send', phoneNumber: '={{ $json.phone }}' },
			message: "=Hello {{ $json.name || 'there' }}, our new menu is here.",
			options: { defaultCountry: 'GB' },
			dryRun: true,
		});
		await editor.showOutput('table');
		await editor.page.setViewportSize({ width: 1280, height: 800 });
		// Who gets what, and why a row is not sent, is seen without scrolling.
		const columns = await editor.output.locator('th').all();
		const panel = await editor.output.boundingBox();
		const seen: string[] = [];
		for (const column of columns) {
			const { x, width } = (await column.boundingBox()) ?? { x: Infinity, width: 0 };
			if (x + width <= (panel?.x ?? 0) + (panel?.width ?? 0)) seen.push(await column.innerText());
		}
		expect(seen).toEqual(['phoneNumber', 'sent', 'reason', 'message']);
		await takePictures(editor, 'dry-run-table', editor.details);
	});

	it('the menu of Retry', async () => {
		const damaged = [...customers.slice(0, 3), { name: 'George', phone: '4.47701E+11' }];
		opened = await openWorkflow((credential) =>
			actionWorkflow('Customers', credential, damaged, {
				...{ resource: 'smsMessage', operation: 'send', sender: 'BellaCucina', message: 'Hello' },
				...{ phoneNumber: '={{ $json.phone }}', options: { defaultCountry: 'GB' } },
			}),
		);
		const { editor, n8n, workflowId } = opened;
		expect((await n8n.runWorkflow(workflowId, 'Start')).status).toBe('error');
		await takePictures(editor, 'retry-menu', await editor.openRetryMenu());
	});

	it('the hints of a campaign', async () => {
		const rows = [...customers, { name: 'Olivia', phone: '+44 7700 900120' }];
		const editor = await openExecuted(rows, {
			...{ resource: 'smsCampaign', operation: 'create', phoneNumberField: 'phone' },
			message: 'It’s spring, and our new menu is here. Book a table for two: dessert is on us.',
			options: { defaultCountry: 'GB', duplicates: 'skip' },
		});
		await editor.showOutput('json');
		expect(await editor.hint('Left out')).toContain('Left out 1 of 11 rows: 1 duplicate.');
		expect(await editor.hint('parts')).toContain('2 parts instead of 1');
		await takePictures(editor, 'execution-hints', editor.output, 660);
	});

	it('the credential with its policy', async () => {
		opened = await openWorkflow((credential) => actionWorkflow('Customers', credential, [], {}));
		const { editor } = opened;
		const { page, credentialDialog: dialog } = editor;
		await page.setViewportSize({ width: 1280, height: 1800 });
		await editor.addCredential('Messaging Service API');
		await editor.renameCredential('Marketing team');
		await editor.fill('baseUrl', 'https://messaging.example.com');
		await editor.switchOn('sendingPolicy');
		await editor.chooseSeveral('allowedCountries', ['United Kingdom', 'Ireland']);
		await editor.fill('maxRecipients', '500');
		await editor.fill('maxMessageParts', '2');
		await editor.choose('doNotContactParameter', 'Parameter 1');
		await editor.fill('doNotContactValue', 'Opt out');
		await editor.fill('sendingHoursFrom', '09:00');
		await editor.fill('sendingHoursTo', '20:00');
		await page.mouse.move(0, 0);
		await editor.setCredentialHeight(1502);
		const heading = dialog.getByText('Sending Policy', { exact: true }).first();
		await heading.evaluate((element) => element.scrollIntoView({ block: 'start' }));
		await takePictures(editor, 'credential-policy', dialog, 1424);
	});

	it('the rows that were not sent, each with its reason', async () => {
		const damaged = [
			...customers.slice(0, 2),
			{ name: 'Amelia', phone: '4.47701E+11' },
			{ name: 'George', phone: '12345' },
		];
		opened = await openWorkflow((credential) =>
			actionWorkflow(
				'Customers',
				credential,
				damaged,
				{
					...{ resource: 'smsMessage', operation: 'send', sender: 'BellaCucina' },
					...{ phoneNumber: '={{ $json.phone }}', options: { defaultCountry: 'GB' } },
					message: '=Hello {{ $json.name }}, our new menu is here.',
				},
				{ onError: 'continueErrorOutput' },
			),
		);
		const { editor } = opened;
		await editor.page.setViewportSize({ width: 1900, height: 760 });
		await editor.openNode(actionName);
		await editor.execute();
		await editor.dismissMessages();
		await editor.openErrorOutput();
		await editor.showOutput('table', 'has lost digits');
		await takePictures(editor, 'error-output', editor.output, 560);
	});
});
