import type { EditorPage } from '../support/editorPage.ts';
import { openWorkflow, type OpenedWorkflow } from '../support/openedWorkflow.ts';
import { neverRunWorkflow, triggerName } from '../support/workflows.ts';

/** What each node returns that is dragged into the message of the node after it. */
const nodes = {
	'Create Campaign': {
		parameters: { resource: 'smsCampaign', operation: 'create' },
		first: ['id', 'recipients', 'sent'],
		dragged: 'recipients',
	},
	'Voice Summary': {
		parameters: { resource: 'voiceCampaign', operation: 'getSummary' },
		first: ['campaignId', 'campaignName', 'campaignStatus', 'recipients'],
		dragged: 'reached',
	},
	'Get Message': {
		parameters: { resource: 'smsMessage', operation: 'get' },
		first: ['phoneNumber', 'status', 'message'],
		dragged: 'status',
	},
};

describe('fields of a node that has never run', () => {
	let opened: OpenedWorkflow;
	let editor: EditorPage;

	beforeAll(async () => {
		const parameters = Object.entries(nodes).map(([name, node]) => [name, node.parameters]);
		opened = await openWorkflow((credential) =>
			neverRunWorkflow('Never run', credential, Object.fromEntries(parameters)),
		);
		({ editor } = opened);
	});

	beforeEach(async () => {
		await editor.backToCanvas();
	});

	afterAll(async () => {
		await opened.close();
	});

	it.each(Object.entries(nodes))(
		'%s: are shown, and dragged into the next node',
		async (name, { first, dragged }) => {
			await editor.openNode(`After ${name}`);
			const fields = await editor.inputFields(dragged);
			expect(fields.slice(0, first.length)).toEqual(first);
			await editor.dragInput(dragged, 'message');
			expect(await editor.field('message').innerText()).toContain(`{{ $json.${dragged} }}`);
			await editor.closeNode();
		},
	);

	it(`${triggerName}: come from the sample event, one click away`, async () => {
		await editor.openNode(triggerName);
		await editor.page.getByTestId('node-execute-button').click();
		await editor.details.getByText('Answered').first().waitFor();
		await editor.dismissMessages();
		await editor.closeNode();
		await editor.openNode(`After ${triggerName}`);
		const fields = await editor.inputFields('phoneNumber');
		expect(fields.slice(0, 3)).toEqual(['event', 'phoneNumber', 'outcome']);
		await editor.dragInput('phoneNumber', 'phoneNumber');
		expect(await editor.field('phoneNumber').innerText()).toContain('{{ $json.phoneNumber }}');
		await editor.closeNode();
	});
});
