import { randomUUID } from 'node:crypto';
import type {
	CredentialSummary,
	N8nClient,
	Workflow,
	WorkflowContent,
} from '../../../host/n8nClient.ts';
import { exampleFiles, exampleWorkflow } from '../../../host/workflows.ts';
import { host } from './host.ts';

/** An example workflow with webhook paths of its own and no tags: test files that run side by side use the same. */
function importedExample(file: string, credential: CredentialSummary): WorkflowContent {
	const workflow = exampleWorkflow(file, credential);
	delete workflow.tags;
	// GET and POST of one page have one path.
	const suffix = randomUUID();
	for (const node of workflow.nodes) {
		// The editor gives every trigger with a webhook an ID; the REST interface of n8n 1 does not.
		if (node.webhookId !== undefined || node.type.endsWith('messagingServiceTrigger')) {
			node.webhookId = randomUUID();
		}
		for (const holder of [node.parameters, node.parameters.options as { path?: unknown }]) {
			if (typeof holder?.path === 'string') holder.path += `-${suffix}`;
		}
	}
	return workflow;
}

/** The one that needs a chat model; the others need nothing but the service. */
export const agentFile = 'ai-agent-sends-on-approval.json';

/** Example workflows that n8n 1 can run; it lacks nodes, or operations of them, for the others. */
const runInVersion1 = [
	'alert-me.json',
	'nightly-campaign-report.json',
	'receive-sms-statuses.json',
	'start-here.json',
	'tell-me-when-it-is-over.json',
];

/** Whether the n8n under test can run an example. */
export function canRun(file: string): boolean {
	return Number(host().installation.version.split('.')[0]) >= 2 || runInVersion1.includes(file);
}

/** The examples that the n8n under test can run. */
export function runnableExamples(): string[] {
	return exampleFiles().filter(canRun);
}

/** An example whose chat model has a credential, as a user chooses one. */
export function withChatModel(
	workflow: WorkflowContent,
	{ id, name, type }: CredentialSummary,
): WorkflowContent {
	for (const node of workflow.nodes) {
		if (node.name === 'Chat Model') node.credentials = { [type]: { id, name } };
	}
	return workflow;
}

const webhookCredentials: Record<string, string> = {
	basicAuth: 'httpBasicAuth',
	headerAuth: 'httpHeaderAuth',
};

/** An example whose webhooks have their credentials, as a user chooses them. */
export function withWebhookCredentials(
	workflow: WorkflowContent,
	...credentials: CredentialSummary[]
): WorkflowContent {
	for (const node of workflow.nodes) {
		const wanted = webhookCredentials[String(node.parameters.authentication)];
		const own = credentials.find(({ type }) => type === wanted);
		if (own !== undefined) node.credentials = { [own.type]: { id: own.id, name: own.name } };
	}
	return workflow;
}

/** An example whose n8n nodes have their credential, as a user chooses one. */
export const withN8nApi =
	({ id, name, type }: CredentialSummary) =>
	(workflow: WorkflowContent): WorkflowContent => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.type === 'n8n-nodes-base.n8n'
				? { ...node, credentials: { [type]: { id, name } } }
				: node,
		),
	});

/** Imports an example, as it is or changed, and removes it when `use` is done with it. */
export async function withExample<T>(
	n8n: N8nClient,
	file: string,
	credential: CredentialSummary,
	use: (workflow: Workflow) => Promise<T>,
	change: (workflow: WorkflowContent) => WorkflowContent = (workflow) => workflow,
): Promise<T> {
	const workflow = await n8n.createWorkflow(change(importedExample(file, credential)));
	try {
		return await use(workflow);
	} finally {
		await n8n.deleteWorkflow(workflow.id);
	}
}
