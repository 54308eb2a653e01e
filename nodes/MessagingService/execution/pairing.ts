import type { INodeExecutionData } from 'n8n-workflow';

const MOST_PAIRED = 1000;

/**
 * The input items that an output item stands for. Of very many, the first: n8n keeps the list with
 * the execution, and no expression can tell one of thousands from the others anyway.
 */
export function pairedWith(itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] {
	const [first = 0] = itemIndexes;
	if (itemIndexes.length === 1) return { item: first };
	return itemIndexes.slice(0, MOST_PAIRED).map((item) => ({ item }));
}
