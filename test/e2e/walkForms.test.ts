import isEqual from 'lodash/isEqual';
import type { INodeParameters } from 'n8n-workflow';
import { poll } from '../../host/poll.ts';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { resources } from '../../nodes/MessagingService/resources';
import type { EditorPage } from './support/editorPage.ts';
import { expectedForm } from './support/expectedForm.ts';
import { openWorkflow, type OpenedWorkflow } from './support/openedWorkflow.ts';
import { rowsWorkflow } from './support/workflows.ts';

const { description } = new MessagingService();
const node = description.displayName;

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		resource: resource.value,
		operation: operation.value,
		action: operation.action,
		name: `${resource.value} ${operation.value}`,
	})),
);

/** Words that people type, and how many other nodes of n8n may come first. */
const searches: [words: string, mostBefore: number][] = [
	['sms', 5],
	['text message', 0],
	['voice', 3],
	['call', 3],
	['campaign', 2],
	['webhook', 2],
	['bulk', 1],
];

/** How high a form may be when it is first opened. */
const MOST_PIXELS = 900;

describe('the forms of the operations in the editor', () => {
	let opened: OpenedWorkflow;
	let editor: EditorPage;

	beforeAll(async () => {
		// High enough for the longest form, to measure it.
		opened = await openWorkflow(() => rowsWorkflow('Forms', []), { height: 1600 });
		({ editor } = opened);
	}, 120_000);

	afterAll(async () => {
		await opened.close();
	});

	afterEach(async () => {
		await editor.backToCanvas();
		// n8n would name the issues of the nodes before as well.
		await editor.removeAdded(2);
	});

	it('are found by the words that people type', async () => {
		await editor.openNodePanel();
		for (const [words, mostBefore] of searches) {
			expect(await editor.searchNodes(words, node, mostBefore)).toContain(node);
		}
		expect(await editor.listActions(node, 'Actions')).toEqual(
			operations.map(({ action }) => action),
		);
	}, 180_000);

	it.each(operations.map((operation) => [operation.name, operation] as const))(
		'show what the operation needs, and what is missing (%s)',
		async (name, { resource, operation, action }) => {
			const expected = expectedForm(description, { resource, operation });
			await editor.openNodePanel();
			await editor.listActions(node, 'Actions');
			await editor.addAction(action);

			expect([name, await editor.labels()]).toEqual([name, expected.labels]);
			for (const text of expected.texts) await editor.form.getByText(text).waitFor();
			expect([name, await editor.cutTexts()]).toEqual([name, []]);
			// What must be filled in is seen before anything that may be added.
			const places = (labels: string[]) => labels.map((label) => expected.labels.indexOf(label));
			expect(Math.max(-1, ...places(expected.required))).toBeLessThan(
				Math.min(Infinity, ...places(expected.optional)),
			);
			expect([name, await editor.issueCount()]).toEqual([name, 0]);
			const height = await editor.formHeight();
			expect([name, Math.max(height, MOST_PIXELS)]).toEqual([name, MOST_PIXELS]);

			if (expected.issues.length > 0) {
				const message = await editor.execute();
				expect(message).toContain('Workflow execution cannot start');
				for (const issue of expected.issues) expect(message).toContain(issue);
				expect([name, await editor.issueCount()]).toEqual([name, expected.issues.length]);
				await editor.dismissMessages();
			}
		},
		120_000,
	);

	it('shows the rest of a voice campaign once its date and call flow are set', async () => {
		const pair = { resource: 'voiceCampaign', operation: 'create' };
		const labelsWith = (chosen: INodeParameters) =>
			expectedForm(description, { ...pair, ...chosen }).labels;
		/** The editor shows what a field brings in a moment after it was filled. */
		const expectLabels = async (wanted: readonly string[]) => {
			const isShown = async () => isEqual(await editor.labels(), wanted) || undefined;
			await poll(isShown, { what: 'the fields of the form', timeout: 10_000 }).catch(
				() => undefined,
			);
			expect(await editor.labels()).toEqual(wanted);
		};
		await editor.openNodePanel();
		await editor.listActions(node, 'Actions');
		await editor.addAction('Create voice campaign');
		await expectLabels(labelsWith({}));

		const startDate = '2090-05-17';
		await editor.fillDate('startDate', startDate);
		await expectLabels(labelsWith({ startDate }));
		expect(labelsWith({ startDate })).toContain('Finish Time');

		await editor.fillId('callflow_Id', '301');
		const all = labelsWith({ startDate, callflow_Id: '301' });
		await expectLabels(all);
		expect(all).toEqual(expect.arrayContaining(['CLI ID', 'SMS on Busy']));
	}, 120_000);
});
