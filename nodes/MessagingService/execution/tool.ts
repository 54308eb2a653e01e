import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether the node runs as an agent's tool. n8n runs such a node, whose type has this ending, in one
 * of two contexts, only one of which knows.
 */
export function isTool(context: IExecuteFunctions): boolean {
	if (context.getNode().type.endsWith('Tool')) return true;
	return 'isToolExecution' in context && context.isToolExecution();
}
