/** The recipients of one request. */
export interface Batch {
	recipients: unknown[];
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign of how many it is, where a long list is split. */
	part: number;
	parts: number;
}

/**
 * Divides recipients into campaigns, in their order. Without recipients there is one empty batch.
 * @param places the input item of each recipient, or undefined where they came from one item
 * @param itemIndexes the input items of the call, which all batches stand for in that case
 */
export function toBatches(
	recipients: unknown[],
	places: readonly number[] | undefined,
	itemIndexes: readonly number[],
	size = Infinity,
): Batch[] {
	if (recipients.length <= size) {
		return [{ recipients, itemIndexes: places ?? itemIndexes, part: 1, parts: 1 }];
	}
	const parts = Math.ceil(recipients.length / size);
	return Array.from({ length: parts }, (_, index) => {
		const from = index * size;
		return {
			recipients: recipients.slice(from, from + size),
			itemIndexes: places?.slice(from, from + size) ?? itemIndexes,
			part: index + 1,
			parts,
		};
	});
}
