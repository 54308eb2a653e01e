import type { EditorPage } from '../support/editorPage.ts';
import { takePictures } from '../support/pictures.ts';
import { openWorkflow, type OpenedWorkflow } from '../support/openedWorkflow.ts';
import { actionName, actionWorkflow } from '../support/workflows.ts';

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

	it('a personal text for each person', async () => {
		const editor = await openExecuted(customers, {
			...{ resource: 'smsMessage', operation: 'send' },
			phoneNumber: '={{ $json.phone }}',
			message: '=Hello {{ $json.name }}, our new menu is here.',
			options: { defaultCountry: 'GB' },
		});
		expect(await editor.outputAs('table')).toContain('+447700900129');
		await takePictures(editor, 'text-each-person', [editor.parameterPanel, editor.output], 800);
	});

	it('the hints of a campaign', async () => {
		const rows = [...customers, { name: 'Olivia', phone: '+44 7700 900120' }];
		const editor = await openExecuted(rows, {
			...{ resource: 'smsCampaign', operation: 'create', phoneNumberField: 'phone' },
			message: 'It’s spring, and our new menu is here. Book a table for two: dessert is on us.',
			options: { defaultCountry: 'GB', duplicates: 'skip' },
		});
		await editor.outputAs('json');
		expect(await editor.hint('Left out')).toContain('Left out 1 recipient');
		expect(await editor.hint('parts')).toContain('2 parts instead of 1');
		await takePictures(editor, 'execution-hints', editor.output, 660);
	});
});
