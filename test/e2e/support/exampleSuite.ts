import { randomUUID } from 'node:crypto';
import type {
	CredentialSummary,
	Execution,
	N8nClient,
	Workflow,
	WorkflowContent,
} from '../../../host/n8nClient.ts';
import { canRun, withExample } from './examples.ts';
import { loggedIn, sandbox } from './host.ts';
import { itOnN8n2 } from './versions.ts';
import { createCredential } from './workflows.ts';

/** `it`, or the words that n8n 1 cannot run the example. */
export const itIfRunnable = (file: string) =>
	canRun(file) ? it : itOnN8n2('this example needs n8n 2');

/** The output of a node. */
export const dataOf = (execution: Execution, node: string) =>
	execution.items(node).map(({ json }) => json);

/** An example as if somebody had uploaded these rows; no browser has to open its pages. */
export const uploaded =
	(rows: Record<string, unknown>[]) =>
	(workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		pinData: {
			...workflow.pinData,
			...Object.fromEntries(
				workflow.nodes
					.filter(({ type }) => type === 'n8n-nodes-base.formTrigger')
					.map(({ name }) => [name, [{ json: {} }]]),
			),
			'Read the List': rows.map((json, row) => ({ json: { problem: '', ...json, row: row + 2 } })),
		},
		nodes: workflow.nodes.map((node) => ({
			...node,
			// A form that is switched off is switched on, and no page is shown.
			disabled:
				node.type !== 'n8n-nodes-base.formTrigger' &&
				(node.disabled === true || node.type === 'n8n-nodes-base.form'),
		})),
	});

/** An example with data tables of its own: tests that run side by side share the n8n. */
export const withOwnTables =
	(suffix: string) =>
	(workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		nodes: workflow.nodes.map((node) => {
			if (node.type !== 'n8n-nodes-base.dataTable') return node;
			const { tableName, dataTableId, ...parameters } = node.parameters as {
				tableName?: string;
				dataTableId?: { value: string };
			};
			return {
				...node,
				parameters: {
					...parameters,
					...(tableName !== undefined && { tableName: `${tableName} ${suffix}` }),
					...(dataTableId !== undefined && {
						dataTableId: { ...dataTableId, value: `${dataTableId.value} ${suffix}` },
					}),
				},
			};
		}),
	});

/** Hours with which it is about this hour now. */
export function zoneWhereItIs(hour: number): string {
	const offset = (hour - new Date().getUTCHours() + 36) % 24;
	const east = offset - 12;
	return `Etc/GMT${east > 0 ? '-' : '+'}${String(Math.abs(east))}`;
}

/** Runs a workflow that ends in an error; gives what the error says. */
export async function runFailing(
	n8n: N8nClient,
	{ id }: Workflow,
	start: string,
): Promise<Execution & { message: string }> {
	const execution = await n8n.runWorkflow(id, start);
	expect(execution.status).toBe('error');
	return { ...execution, message: String(execution.error?.message) };
}

/** Runs a workflow, which must succeed. */
export async function runWorkflow(
	n8n: N8nClient,
	{ id }: Workflow,
	start: string,
): Promise<Execution> {
	const execution = await n8n.runWorkflow(id, start);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

/**
 * Examples in the shared n8n, each test against an empty sandbox. Nothing that the sandbox responds
 * or sends may be outside openapi.yaml.
 */
export function exampleSuite(name: string) {
	const suite = {} as { n8n: N8nClient; credential: CredentialSummary };

	beforeAll(async () => {
		suite.n8n = await loggedIn();
		suite.credential = await createCredential(suite.n8n, name);
	});

	beforeEach(async () => {
		await sandbox().reset();
	});

	afterEach(async () => {
		expect((await sandbox().summary()).contractViolations).toBe(0);
	});

	/** Imports an example, as it is or changed, and removes it when `use` is done with it. */
	const example = async <T>(
		file: string,
		use: (workflow: Workflow) => Promise<T>,
		change?: (workflow: WorkflowContent) => WorkflowContent,
	): Promise<T> => await withExample(suite.n8n, file, suite.credential, use, change);
	const run = async (workflow: Workflow, start: string) =>
		await runWorkflow(suite.n8n, workflow, start);

	return {
		suite,
		example,
		publish: async ({ id }: Workflow) => {
			expect(await suite.n8n.activateWorkflow(id)).toMatchObject({ status: 'published' });
		},
		/** Puts people into a table People of its own, or into that with the suffix; gives the suffix. */
		people: async (rows: Record<string, unknown>[], suffix: string = randomUUID()) => {
			await example(
				'people-from-a-file.json',
				async (workflow) => await run(workflow, 'Upload a List'),
				(workflow) => withOwnTables(suffix)(uploaded(rows)(workflow)),
			);
			return suffix;
		},
		run,
		fail: async (workflow: Workflow, start: string) => await runFailing(suite.n8n, workflow, start),
	};
}
