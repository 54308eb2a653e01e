import type { Batch } from '../recipients/batch';
import type { ReadCall } from '../resources/operation';
import { ParameterReader } from '../parameters/reader';
import type { Run } from './runState';

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
