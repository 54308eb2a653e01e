import type {
	CredentialSummary,
	Execution,
	N8nClient,
	WorkflowContent,
	WorkflowNode,
} from '../../../host/n8nClient.ts';
import { credentialType, nodeTypes } from '../../../host/workflows.ts';
import type { ModelServer } from './modelServer.ts';
import { n8nDifferences } from './versions.ts';

/** The name of n8n's AI Agent node in the workflows that run here. */
export const agentName = 'Agent';

const toolName = 'Send SMS';

/** An expression by which the model fills in a parameter. */
export const fromAi = (key: string, description = '') =>
	`={{ $fromAI('${key}', '${description}', 'string') }}`;

function agentWorkflow(
	model: CredentialSummary,
	service: CredentialSummary,
	parameters: Record<string, unknown>,
): WorkflowContent {
	const node = (
		name: string,
		type: string,
		typeVersion: number,
		rest: Partial<WorkflowNode>,
	): WorkflowNode => ({
		...{ id: name, name, type, typeVersion, position: [0, 0], parameters: {} },
		...rest,
	});
	return {
		name: 'Agent',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node(agentName, '@n8n/n8n-nodes-langchain.agent', n8nDifferences().agentVersion, {
				position: [220, 0],
				parameters: { promptType: 'define', text: 'Tell Ada that her table is ready', options: {} },
			}),
			node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.3, {
				position: [160, 220],
				parameters: {
					model: { __rl: true, mode: 'id', value: 'scripted' },
					responsesApiEnabled: false,
					options: {},
				},
				credentials: { openAiApi: { id: model.id, name: model.name } },
			}),
			node(toolName, `${nodeTypes.action}Tool`, 1, {
				position: [340, 220],
				parameters,
				credentials: { [credentialType]: { id: service.id, name: service.name } },
			}),
		],
		connections: {
			Start: { main: [[{ node: agentName, type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: agentName, type: 'ai_languageModel', index: 0 }]] },
			[toolName]: { ai_tool: [[{ node: agentName, type: 'ai_tool', index: 0 }]] },
		},
	};
}

/** Runs an agent whose only tool is the action node with these parameters. */
export async function runAgent(
	n8n: N8nClient,
	model: ModelServer,
	service: CredentialSummary,
	parameters: Record<string, unknown>,
): Promise<Execution> {
	const openAi = await n8n.createCredential('Scripted Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
		header: false,
	});
	const { id } = await n8n.createWorkflow(agentWorkflow(openAi, service, parameters));
	return await n8n.runWorkflow(id, 'Start');
}
