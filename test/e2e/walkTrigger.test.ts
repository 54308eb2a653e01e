import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { poll } from '../../host/poll.ts';
import { nodeTypes } from '../../host/workflows.ts';
import type { EditorPage } from './support/editorPage.ts';
import { expectedForm } from './support/expectedForm.ts';
import { takePictures } from './support/pictures.ts';
import { host, sandbox } from './support/host.ts';
import { openWorkflow, type OpenedWorkflow } from './support/openedWorkflow.ts';
import { rowsWorkflow } from './support/workflows.ts';

const { description } = new MessagingServiceTrigger();
const service = new MessagingService().description.displayName;

const event = {
	webHookType: 0,
	data: { outCome: 1, stage: 14, phoneNumber: '+447700900123', campaignId: '2001' },
};

/** How high the form may be when it is first opened. */
const MOST_PIXELS = 650;

describe('the trigger in the editor', () => {
	let opened: OpenedWorkflow;
	let editor: EditorPage;

	/** Has the sandbox deliver the event to the URL that is registered, once there is one. */
	async function deliver(): Promise<string> {
		const url = await poll(async () => (await sandbox().webhook()).url ?? undefined, {
			what: 'the registration',
			timeout: 60_000,
		});
		expect(await sandbox().event(event)).toMatchObject({ status: 'acknowledged' });
		return url;
	}

	/**
	 * Gives the trigger this file's credential, once the editor has saved it: n8n has chosen the newest
	 * one, which may be that of a file that runs beside this one.
	 */
	async function chooseCredential(): Promise<void> {
		const { n8n, credential, workflowId } = opened;
		const nodes = await poll(
			async () => {
				const { nodes: saved } = await n8n.workflow(workflowId);
				return saved.some(({ type }) => type === nodeTypes.trigger) ? saved : undefined;
			},
			{ what: 'the editor to save the workflow', timeout: 60_000 },
		);
		const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
		await n8n.updateWorkflow(workflowId, {
			nodes: nodes.map((node) =>
				node.type === nodeTypes.trigger ? { ...node, credentials } : node,
			),
		});
		await editor.openWorkflow(workflowId);
	}

	/** Presses "Execute step" and waits until the output shows a sample. */
	async function listenUntilSample(expected: string): Promise<void> {
		await editor.page.getByTestId('node-execute-button').click();
		await editor.details.getByText(expected).first().waitFor();
	}

	beforeAll(async () => {
		// High enough for the whole form: its picture shows all of it.
		opened = await openWorkflow(() => rowsWorkflow('Results', []), { height: 1400 });
		({ editor } = opened);
	}, 120_000);

	afterAll(async () => {
		await opened.n8n.deactivateWorkflow(opened.workflowId);
		await opened.close();
	});

	it('is found by its events where a workflow has nothing yet', async () => {
		const { n8n, workflowId } = opened;
		const { id } = await n8n.createWorkflow({ name: 'Empty', nodes: [], connections: {} });
		await editor.openWorkflow(id);
		await editor.openTriggerPanel();
		for (const words of ['sms status', 'call status', 'message status', 'delivery report']) {
			expect(await editor.searchNodes(words, service, 0)).toContain(service);
		}
		await editor.openWorkflow(workflowId);
	}, 120_000);

	it('is added by the event that it waits for', async () => {
		await editor.openNodePanel();
		expect(await editor.listActions(service, 'Triggers')).toEqual(
			expect.arrayContaining(['On call attempted', 'On SMS status']) as string[],
		);
		await editor.addAction('On call attempted');
		const expected = expectedForm(description, { events: ['callAttempted'] });
		expect(await editor.labels()).toEqual(expected.labels);
		for (const text of expected.texts) await editor.form.getByText(text).waitFor();
		expect(await editor.cutTexts()).toEqual([]);
		expect(await editor.issueCount()).toBe(0);
		expect(await editor.formHeight()).toBeLessThanOrEqual(MOST_PIXELS);
	}, 120_000);

	it('shows a sample of the event after the click', async () => {
		await editor.page.setViewportSize({ width: 1280, height: 800 });
		await listenUntilSample('Answered');
		await editor.message();
		for (const view of ['schema', 'json', 'table'] as const) {
			await editor.showOutput(view, 'Answered', '+447700900123');
		}
		await editor.dismissMessages();
		// All fields of the event, which a table would cut.
		await editor.showOutput('json');
		await takePictures(editor, 'trigger-event', [editor.parameterPanel, editor.output], 690);
		await editor.closeNode();
	}, 180_000);

	it('starts the published workflow, which the list of executions shows', async () => {
		await chooseCredential();
		await editor.publish();
		// Without a Path: an address that nobody can guess.
		const { n8nUrl } = host();
		expect(await deliver()).toMatch(
			new RegExp(`^${n8nUrl}/webhook/[\\da-f-]{36}\\?token=[\\da-f]{64}$`),
		);
		const executions = await editor.openExecutions(2);
		expect(await executions.allInnerTexts()).toEqual([
			expect.stringContaining('Succeeded'),
			expect.stringContaining('Succeeded'),
		]);
		await editor.dismissMessages();
	}, 180_000);
});
