import { MessagingService } from '../../../nodes/MessagingService/MessagingService.node';
import { resources } from '../../../nodes/MessagingService/resources';
import type { EditorPage } from './editorPage.ts';
import { expectedForm } from './expectedForm.ts';
import { openWorkflow, type OpenedWorkflow } from './openedWorkflow.ts';
import { rowsWorkflow } from './workflows.ts';

/** The description of the action node. */
export const { description } = new MessagingService();

const node = description.displayName;

/** How high a form may be when it is first opened. */
const MOST_PIXELS = 700;
/** The forms that reach people also have Dry Run, and say where recipients come from, and when. */
const MOST_PIXELS_OF: Record<string, number> = {
	'smsMessage send': 745,
	'smsCampaign create': 940,
	// All that the operator tells and when calls are made is in sight.
	'voiceCampaign create': 1330,
	'voiceCampaign createForClient': 1330,
};

/** An operation, as the node panel lists it. */
export interface ListedOperation {
	resource: string;
	operation: string;
	action: string;
	/** Resource and operation. */
	name: string;
}

/** All operations, in the order of the node panel. */
export const operations: ListedOperation[] = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		resource: resource.value,
		operation: operation.value,
		action: operation.action,
		name: `${resource.value} ${operation.value}`,
	})),
);

/** Opens a workflow for the tests of a file, each of which adds a node that is removed afterwards. */
export function openedForms(): () => EditorPage {
	let opened: OpenedWorkflow;
	beforeAll(async () => {
		// High enough for the longest form, to measure it.
		opened = await openWorkflow(() => rowsWorkflow('Forms', []), { height: 1600 });
	}, 120_000);

	afterAll(async () => {
		await opened.close();
	});

	afterEach(async () => {
		const { editor } = opened;
		await editor.backToCanvas();
		// n8n would name the issues of the nodes before as well.
		await editor.removeAdded(2);
	});

	return () => opened.editor;
}

/** Adds the node for an operation. */
export async function addOperation(editor: EditorPage, action: string): Promise<void> {
	await editor.openNodePanel();
	await editor.listActions(node, 'Actions');
	await editor.addAction(action);
}

/** Adds the operation and checks its form: its fields, their order and height, and what is missing. */
export async function walkForm(
	editor: EditorPage,
	{ name, resource, operation, action }: ListedOperation,
): Promise<void> {
	const expected = expectedForm(description, { resource, operation });
	await addOperation(editor, action);

	expect([name, await editor.labels()]).toEqual([name, expected.labels]);
	// Two fields may have the same text.
	for (const text of expected.texts) await editor.form.getByText(text).first().waitFor();
	expect([name, await editor.cutTexts()]).toEqual([name, []]);
	// What must be filled in is seen before anything that may be added.
	const places = (labels: string[]) => labels.map((label) => expected.labels.indexOf(label));
	expect(Math.max(-1, ...places(expected.required))).toBeLessThan(
		Math.min(Infinity, ...places(expected.optional)),
	);
	expect([name, await editor.issueCount()]).toEqual([name, 0]);
	const height = await editor.formHeight();
	const most = MOST_PIXELS_OF[name] ?? MOST_PIXELS;
	expect([name, Math.max(height, most)]).toEqual([name, most]);

	if (expected.issues.length > 0) {
		const message = await editor.execute();
		expect(message).toContain('Workflow execution cannot start');
		for (const issue of expected.issues) expect(message).toContain(issue);
		expect([name, await editor.issueCount()]).toEqual([name, expected.issues.length]);
		await editor.dismissMessages();
	}
}
