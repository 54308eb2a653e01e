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

/** A tool of the agent: the action node with these parameters and this credential. */
export interface AgentTool {
	credential: CredentialSummary;
	parameters: Record<string, unknown>;
}

/** An expression by which the model fills in a parameter. */
export const fromAi = (key: string, description = '') =>
	`={{ $fromAI('${key}', '${description}', 'string') }}`;

function agentWorkflow(
	model: CredentialSummary,
	tools: readonly AgentTool[],
	version: number,
): WorkflowContent {
	const toolName = (index: number) => `Tool ${String(index)}`;
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
			node(agentName, '@n8n/n8n-nodes-langchain.agent', version, {
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
			...tools.map(({ credential: { id, name }, parameters }, index) =>
				node(toolName(index), `${nodeTypes.action}Tool`, 1, {
					position: [340 + index * 180, 220],
					parameters,
					credentials: { [credentialType]: { id, name } },
				}),
			),
		],
		connections: {
			Start: { main: [[{ node: agentName, type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: agentName, type: 'ai_languageModel', index: 0 }]] },
			...Object.fromEntries(
				tools.map((_, index) => [
					toolName(index),
					{ ai_tool: [[{ node: agentName, type: 'ai_tool', index: 0 }]] },
				]),
			),
		},
	};
}

/**
 * Runs an agent with these tools.
 * @param version of the AI Agent node: version 2 calls several tools in parallel
 */
export async function runAgent(
	n8n: N8nClient,
	model: ModelServer,
	tools: readonly AgentTool[],
	version = n8nDifferences().agentVersion,
): Promise<Execution> {
	const openAi = await n8n.createCredential('Scripted Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
		header: false,
	});
	const { id } = await n8n.createWorkflow(agentWorkflow(openAi, tools, version));
	return await n8n.runWorkflow(id, 'Start');
}
