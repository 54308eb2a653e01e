import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** Identity of a run, equal for an execution and all its retries. */
export interface RunIdentity {
	id: string;
	/** Whether it is that of an earlier execution: other retries of that one may have it as well. */
	isInherited: boolean;
}

/** What is kept in n8n's context of the whole execution. */
interface StoredIdentity {
	id: string;
	/** The execution that made it. */
	execution: string;
}

/**
 * The identity of the run. The first Messaging Service node of an execution makes it; the later
 * ones, all rounds of a loop and all retries find it in the context of the flow, which n8n keeps
 * with the execution.
 */
export function identityOf(context: IExecuteFunctions): RunIdentity {
	const flow = context.getContext('flow') as { messagingServiceRun?: StoredIdentity };
	const execution = context.getExecutionId();
	flow.messagingServiceRun ??= { id: randomUUID(), execution };
	const { id, execution: creator } = flow.messagingServiceRun;
	return { id, isInherited: context.getMode() === 'retry' && creator !== execution };
}
