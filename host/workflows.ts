import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { CredentialSummary, WorkflowContent } from './n8nClient.ts';

const folder = path.resolve(import.meta.dirname, '..', 'examples');

/** The node types of the package, as n8n names those of an installed package. */
export const nodeTypes = {
	action: 'n8n-nodes-messaging-service.messagingService',
	trigger: 'n8n-nodes-messaging-service.messagingServiceTrigger',
	pollTrigger: 'n8n-nodes-messaging-service.messagingServicePollTrigger',
} as const;

/** The package's credential type. */
export const credentialType = 'messagingServiceApi';

/** The file names of the example workflows. */
export function exampleFiles(): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort();
}

/** An example workflow, its nodes using the given credential. */
export function exampleWorkflow(file: string, { id, name }: CredentialSummary): WorkflowContent {
	const workflow = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowContent;
	for (const node of workflow.nodes) {
		if (node.credentials?.[credentialType] !== undefined) {
			node.credentials[credentialType] = { id, name };
		}
	}
	return workflow;
}
