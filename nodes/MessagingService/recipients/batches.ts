import type { Batch } from './batch';
import type { Screened } from './screen';

/**
 * Divides recipients into campaigns, in their order. Without recipients there is one empty batch.
 * @param itemIndexes the input items of the call, which all batches stand for where the recipients
 * came from one item; undefined where each is an item
 */
export function toBatches(
	{ recipients, places }: Pick<Screened, 'recipients' | 'places'>,
	itemIndexes: readonly number[] | undefined,
	size = Infinity,
): Batch[] {
	const parts = Math.max(1, Math.ceil(recipients.length / size));
	if (parts === 1) return [{ recipients, itemIndexes: itemIndexes ?? places, part: 1, parts }];
	return Array.from({ length: parts }, (_, index) => {
		const [from, to] = [index * size, (index + 1) * size];
		return {
			recipients: recipients.slice(from, to),
			itemIndexes: itemIndexes ?? places.slice(from, to),
			part: index + 1,
			parts,
		};
	});
}
