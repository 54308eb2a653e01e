import type { IExecuteFunctions } from 'n8n-workflow';
import { findOperation } from '../resources';
import type { Operation } from '../resources/operation';
import { fieldLabels } from '../resources/define';
import { InputError } from '../resources/shared/inputError';
import { readMapping } from '../resources/shared/mapping';
import { RunParameters } from '../resources/shared/parameters';
import { readRequestOptions } from '../resources/shared/requestOptions';
import { connect } from '../transport/connection';
import type { Progress } from './progress';
import type { Run } from './runState';
import { SentRecord } from './sentRecord';

/** What is known of a run before its options are read. */
export type Started = Pick<Run, 'operation' | 'kind' | 'progress' | 'sent'>;

/** @throws where nothing can be found out about earlier tries */
export function start(context: IExecuteFunctions, progress: Progress): Started {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = operationOf(resource, name);
	const kind = typeof operation.kind === 'function' ? operation.kind(context) : operation.kind;
	const recorded = {
		name: `${resource} ${name} ${kind}`,
		reachesPeople: operation.reachesPeople === true,
	};
	return { operation, kind, progress, sent: new SentRecord(context, recorded, progress) };
}

/** Reads what holds for the whole run. @throws where any of it is wrong: nothing is sent then */
export async function prepare(context: IExecuteFunctions, started: Started): Promise<Run> {
	const { operation, sent } = started;
	sent.assertSameOperation();
	const options = readRequestOptions(context);
	const { concurrency } = options;
	if (sent.claims !== undefined) sent.claims.most = concurrency;
	return {
		...started,
		context,
		connection: await connect(context, fieldLabels(operation), options),
		parameters: new RunParameters(context, readMapping(context, operation.mappable)),
		concurrency,
		isStopped: false,
	};
}

/** The operation that the user has chosen. @throws InputError where there is none */
function operationOf(resource: string, name: string): Operation {
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new InputError(
		'Operation',
		`"${name}" of the resource "${resource}" does not exist`,
		'Select the resource and the operation again.',
	);
}
