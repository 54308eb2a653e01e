import type { IExecuteFunctions } from 'n8n-workflow';
import { findOperation } from '../resources';
import { isChanging, type Operation } from '../resources/operation';
import { fieldLabels } from '../resources/define';
import { InputError } from '../parameters/inputError';
import { readMapping } from '../resources/shared/mapping';
import { RunParameters } from '../parameters/reader';
import { clientFor, PATIENT, readCredential } from '../transport/connection';
import { AgentMemory } from './agentMemory';
import { Notes } from './hints';
import { RunPolicy } from './policy';
import { RetryOnce } from './retryOnce';
import type { Rows } from './rows';
import { isTool, type Run } from './runState';
import { SentRecord } from './sentRecord';

/** What is known of a run before its options and the credential are read. */
export type Started = Pick<
	Run,
	'context' | 'operation' | 'kind' | 'failuresAreItems' | 'rows' | 'retryOnce' | 'refused'
> & {
	/** Undefined for an agent's tool. */
	record: SentRecord | undefined;
};

/** Finds the operation that the user has chosen. @throws InputError where there is none */
export function start(context: IExecuteFunctions, rows: Rows): Started {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = operationOf(resource, name);
	const kind = typeof operation.kind === 'function' ? operation.kind(context) : operation.kind;
	const isAgent = isTool(context);
	return {
		context,
		operation,
		kind,
		rows,
		// An agent must read whether a message may have been sent.
		failuresAreItems: context.continueOnFail() || (operation.reachesPeople === true && isAgent),
		record: isAgent ? undefined : new SentRecord(context, operation, `${resource} ${name} ${kind}`),
		retryOnce: new RetryOnce(context),
	};
}

/** Reads what holds for the whole run. @throws where any of it is wrong: nothing is sent then */
export async function prepare(started: Started): Promise<Run> {
	const { context, operation } = started;
	const credential = await readCredential(context);
	const client = clientFor(context, credential, fieldLabels(operation), PATIENT);
	return {
		...started,
		client,
		memory: started.record ?? new AgentMemory(context, operation, client.settings.baseUrl),
		policy: new RunPolicy(context, credential, client),
		parameters: new RunParameters(context, readMapping(context, operation.mappable)),
		concurrency: client.concurrency,
		notes: new Notes(),
		isStopped: false,
	};
}

/** Whether a run may send something: only then does it matter what other retries have sent. */
export function maySend({ context, operation }: Started): boolean {
	return isChanging(operation) && context.getNode().parameters.dryRun !== true;
}

function operationOf(resource: string, name: string): Operation {
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new InputError(
		'Operation',
		`"${name}" of the resource "${resource}" does not exist`,
		'Select the resource and the operation again.',
	);
}
