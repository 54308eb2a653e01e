import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/**
 * An error item for n8n's error branch, with all its fields. n8n sends items with `error` to the
 * branch, then replaces the fields of each item that still has it by the message, and adds the
 * fields of the input item. It copies the item in between: a property that is not copied takes the
 * item to the branch.
 * @param untrue names of fields that the input item has from an earlier error, to be emptied
 */
export function forErrorBranch(
	item: INodeExecutionData,
	untrue: readonly string[],
): INodeExecutionData {
	const emptied: IDataObject = Object.fromEntries(untrue.map((name) => [name, undefined]));
	const error = { message: item.json.error };
	return Object.defineProperty({ ...item, json: { ...emptied, ...item.json } }, 'error', {
		value: error,
		enumerable: false,
	});
}
