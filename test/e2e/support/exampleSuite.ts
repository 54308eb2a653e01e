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
			'Check the File': [{ json: {} }],
			'Read CSV': rows.map((json) => ({ json })),
		},
		nodes: workflow.nodes.map((node) => ({
			...node,
			disabled: node.disabled === true || node.type === 'n8n-nodes-base.form',
		})),
	});

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

	return {
		suite,
		/** Imports an example, as it is or changed, and removes it when `use` is done with it. */
		example: async <T>(
			file: string,
			use: (workflow: Workflow) => Promise<T>,
			change?: (workflow: WorkflowContent) => WorkflowContent,
		): Promise<T> => await withExample(suite.n8n, file, suite.credential, use, change),
		run: async (workflow: Workflow, start: string) => await runWorkflow(suite.n8n, workflow, start),
	};
}
