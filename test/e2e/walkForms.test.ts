import { isEqual } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { poll } from '../../host/poll.ts';
import { expectedForm } from './support/expectedForm.ts';
import {
	addOperation,
	description,
	openedForms,
	operations,
	walkForm,
} from './support/formWalk.ts';

const node = description.displayName;

/** Words that people type, and how many other nodes of n8n may come first. */
const searches: [words: string, mostBefore: number][] = [
	['sms', 5],
	['text message', 0],
	['voice', 3],
	['call', 3],
	['campaign', 2],
	['webhook', 2],
	['bulk', 1],
	['send sms', 0],
	['send text', 0],
	['text messages', 0],
	['send message', 0],
	['sms campaign', 0],
	['campaigns', 0],
	['phone call', 0],
	['calls', 0],
	['notify', 0],
	['notification', 0],
	['opt out', 0],
	['unsubscribe', 0],
	['stop list', 0],
	['check number', 0],
];

/** The forms that most people open; more/walkForms.test.ts has the others. */
const walked = operations.filter(({ name }) =>
	['smsCampaign create', 'smsMessage send'].includes(name),
);

describe('the forms of the operations in the editor', () => {
	const editor = openedForms();

	it('are found by the words that people type', async () => {
		await editor().openNodePanel();
		for (const [words, mostBefore] of searches) {
			expect(await editor().searchNodes(words, node, mostBefore)).toContain(node);
		}
		expect(await editor().listActions(node, 'Actions')).toEqual(
			operations.map(({ action }) => action),
		);
	});

	it.each(['light', 'dark'] as const)('have an icon for the %s theme', async (theme) => {
		await editor().openNodePanel();
		await editor().searchNodes(node, node, 0);
		await editor().setTheme(theme);
		const icons = editor().nodePanel.locator('img[src*="messagingService"]');
		const widths = await icons.evaluateAll((images) =>
			images.map((image) => (image as HTMLImageElement).naturalWidth),
		);
		expect(Math.min(...widths)).toBeGreaterThan(0);
		expect(widths.length).toBeGreaterThan(0);
	});

	it.each(walked.map((operation) => [operation.name, operation] as const))(
		'show what the operation needs, and what is missing (%s)',
		async (_name, operation) => {
			await walkForm(editor(), operation);
		},
	);

	it('asks for the minutes between the attempts once there are several', async () => {
		const pair = { resource: 'voiceCampaign', operation: 'create' };
		const labelsWith = (chosen: INodeParameters) =>
			expectedForm(description, { ...pair, ...chosen }).labels;
		/** The editor shows what a field brings in a moment after it was filled. */
		const expectLabels = async (wanted: readonly string[]) => {
			const isShown = async () => isEqual(await editor().labels(), wanted) || undefined;
			await poll(isShown, { what: 'the fields of the form', timeout: 120_000 }).catch(
				() => undefined,
			);
			expect(await editor().labels()).toEqual(wanted);
		};
		await addOperation(editor(), 'Create voice campaign');
		await expectLabels(labelsWith({}));

		await editor().fill('attemptCount', '2');
		const all = labelsWith({ attemptCount: 2 });
		await expectLabels(all);
		expect(all).toContain('Minutes Between');
	});
});
