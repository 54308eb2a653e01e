import type { IExecuteFunctions } from 'n8n-workflow';
import type { Known } from './memory';

/** What all Messaging Service nodes of an execution share, as plain JSON. */
export interface FlowMemory {
	/** The execution in which the first of them ran; its retries inherit it. */
	execution: string;
	/** What agents have sent, or possibly sent, by digests of the requests. */
	sentByAgent?: Record<string, Exclude<Known, { differs: true }>>;
}

/**
 * What is kept in n8n's context of the whole execution, which n8n saves with a failed execution and
 * hands to its retries. The first node that asks makes it.
 */
export function flowMemory(context: IExecuteFunctions): FlowMemory {
	const flow = context.getContext('flow') as { messagingService?: FlowMemory };
	flow.messagingService ??= { execution: context.getExecutionId() };
	return flow.messagingService;
}
