import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowContent, WorkflowNode } from '../../host/n8nClient.ts';
import { credentialType, exampleFiles } from '../../host/workflows.ts';

const folder = path.resolve(__dirname, '..', '..', 'examples');
const readText = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const examples = exampleFiles().map((file) => ({
	file,
	workflow: JSON.parse(readText(file)) as WorkflowContent,
}));

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
/** A note behind the nodes of a step, with its name. */
const isStep = (node: WorkflowNode) => isNote(node) && node.name.startsWith('Step ');
const notesOf = ({ nodes }: WorkflowContent) =>
	nodes.filter((node) => isNote(node) && !isStep(node));
const actorsOf = ({ nodes }: WorkflowContent) => nodes.filter((node) => !isNote(node));

/** Every text in a value, with the name of the field that it is in. */
function textsOf(value: unknown, field = ''): { field: string; text: string }[] {
	if (typeof value === 'string') return [{ field, text: value }];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		textsOf(inner, Array.isArray(value) ? field : name),
	);
}

describe.each(examples)('the example workflow $file', ({ file, workflow }) => {
	test('says what it does, what to change and what to watch out for', () => {
		expect(notesOf(workflow).map(({ name }) => name)).toEqual([
			'About This Workflow',
			'What to Change',
			'What to Watch Out For',
		]);
		const [about, change, watch] = notesOf(workflow).map(({ parameters }) => parameters.content);
		expect(about).toMatch(/^## .+\n[^]+\*\*Try it:\*\* /);
		expect(change).toMatch(/^### What to change\n- /);
		expect(watch).toMatch(/^### What to watch out for\n- /);
	});

	test('connects nodes that exist, each with a name of its own', () => {
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const targets = [...JSON.stringify(workflow.connections).matchAll(/"node":("[^"]*")/g)].map(
			([, name]) => JSON.parse(String(name)) as string,
		);
		const mentioned = [
			...Object.keys(workflow.connections),
			...Object.keys(workflow.pinData ?? {}),
			...targets,
		];
		expect(mentioned.filter((name) => !names.includes(name))).toEqual([]);
	});

	test('holds nothing of the n8n or the person it was made with', () => {
		const known = ['name', 'nodes', 'connections', 'pinData', 'settings'];
		expect(Object.keys(workflow).filter((key) => !known.includes(key))).toEqual([]);
		for (const { credentials } of workflow.nodes) {
			if (credentials === undefined) continue;
			expect(credentials).toEqual({
				[credentialType]: { id: null, name: 'Messaging Service Sandbox' },
			});
		}
		expect(readText(file)).not.toMatch(/instanceId|"(api)?-?key"|password|Bearer /i);
	});

	test('calls and writes only to numbers that are kept for fiction', () => {
		const digits = [...readText(file).matchAll(/(?<![\dA-Fa-f-])\+?\d[\d ]{8,}\d(?![\dA-Fa-f-])/g)]
			.map(([number]) => number.replace(/\D/g, '').replace(/^0+/, ''))
			.filter((number) => number.length <= 15);
		// Ofcom keeps 07700 900xxx for fiction, the North American plan 555-01xx.
		const isFictional = (number: string) => /^((44)?7700900\d{3}|1\d{3}55501\d{2})$/.test(number);
		expect(digits.filter((number) => !isFictional(number))).toEqual([]);
	});

	test('starts campaigns at a time that lies ahead whenever it is run', () => {
		const fixed = actorsOf(workflow)
			.flatMap(({ parameters }) => textsOf(parameters))
			.filter(({ field }) => ['startDate', 'startDateTime'].includes(field))
			.filter(({ text }) => !text.startsWith('={{ $now.plus('));
		expect(fixed).toEqual([]);
	});

	test('is in the table of README.md', () => {
		expect(readText('README.md')).toContain(`](${file})`);
	});
});

describe('the example workflows together', () => {
	const all = examples.flatMap(({ workflow }) => workflow.nodes);

	test('have node identifiers of their own, and no webhook URL that anybody knows', () => {
		const ids = all.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const known = all
			.filter(({ type }) => type.endsWith('messagingServiceTrigger'))
			.filter(({ parameters, webhookId }) => parameters.path ?? webhookId);
		expect(known.map(({ name }) => name)).toEqual([]);
	});

	test('have pinned events for every trigger of the package', () => {
		for (const { file, workflow } of examples) {
			const triggers = workflow.nodes.filter(({ type }) =>
				type.endsWith('messagingServiceTrigger'),
			);
			for (const { name } of triggers) {
				expect([file, workflow.pinData?.[name]?.length]).toEqual([file, expect.any(Number)]);
			}
		}
	});
});
