import type { Batch, Group } from './batch';

/**
 * Divides recipients into campaigns, in their order. Without recipients there is one empty batch.
 * @param groups those whose campaigns start at the same time, at least one
 * @param itemIndexes the input items of the call, which all batches stand for where the recipients
 * came from one item; undefined where each is an item
 */
export function toBatches(
	groups: readonly Group[],
	itemIndexes: readonly number[] | undefined,
	size = Infinity,
): Batch[] {
	const divided = groups.flatMap((group) => divide(group, size));
	return divided.map(({ recipients, places, startDateTime }, index) => ({
		recipients,
		itemIndexes: itemIndexes ?? places,
		part: index + 1,
		parts: divided.length,
		...(startDateTime === undefined ? {} : { startDateTime }),
	}));
}

function divide(group: Group, size: number): Group[] {
	const { recipients, places } = group;
	if (recipients.length <= size) return [group];
	return Array.from({ length: Math.ceil(recipients.length / size) }, (_, index) => {
		const [from, to] = [index * size, (index + 1) * size];
		return { ...group, recipients: recipients.slice(from, to), places: places.slice(from, to) };
	});
}
