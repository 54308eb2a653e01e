import type { IExecuteFunctions } from 'n8n-workflow';
import { ParameterReader, type RunParameters } from '../parameters/reader';
import type { Batch } from '../recipients/batch';
import type { ChangingOperation, Operation, OperationKind, ReadCall } from '../resources/operation';
import type { ServiceClient } from '../transport/request';
import type { Notes } from './hints';
import type { Memory } from './memory';
import type { RunPolicy } from './policy';
import type { RetryOnce } from './retryOnce';
import type { Rows } from './rows';

/** One run of the node, as its calls need it. */
export interface Run<Chosen extends Operation = Operation> {
	context: IExecuteFunctions;
	operation: Chosen;
	kind: OperationKind;
	/** Whether failures become items: where the node continues on errors, or is an agent's tool that sends. */
	failuresAreItems: boolean;
	client: ServiceClient;
	policy: RunPolicy;
	parameters: RunParameters;
	/** Maximum number of requests in progress. */
	concurrency: number;
	rows: Rows;
	/** What was sent before. */
	memory: Memory;
	retryOnce: RetryOnce;
	notes: Notes;
	/** Why this retry sends nothing. */
	refused?: unknown;
	/** Set after a failure that stops the run: nothing more is started. */
	isStopped: boolean;
}

export type SendingRun = Run<ChangingOperation>;

/** Whether the user has cancelled the execution, or it ran out of time. */
export function isCanceled({ context }: Pick<Run, 'context'>): boolean {
	return context.getExecutionCancelSignal()?.aborted === true;
}

/** Whether nothing more is started. */
export function isOver(run: Pick<Run, 'context' | 'isStopped'>): boolean {
	return run.isStopped || isCanceled(run);
}

/**
 * Whether the node runs as an agent's tool. n8n runs such a node, whose type has this ending, in one
 * of two contexts, only one of which knows.
 */
export function isTool(context: IExecuteFunctions): boolean {
	if (context.getNode().type.endsWith('Tool')) return true;
	return 'isToolExecution' in context && context.isToolExecution();
}

/**
 * What an operation gets for some input items. It is made anew where it is needed: that of 100,000
 * items would take more memory than what is sent.
 */
export function callFor(
	{ context, client, parameters }: Pick<Run, 'context' | 'client' | 'parameters'>,
	itemIndexes: readonly number[],
	batch?: Batch,
): ReadCall {
	return {
		context,
		client,
		itemIndexes,
		parameters: new ParameterReader(context, itemIndexes, parameters),
		...(batch === undefined ? {} : { batch }),
	};
}
