import type { IDataObject } from 'n8n-workflow';

/** The recipients of one request. */
export interface Batch {
	recipients: IDataObject[];
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign of how many it is, where a long list is split; of a file, how many is not known. */
	part: number;
	parts?: number;
}

/** The recipients of the campaign that a call creates. */
export function recipientsOf({ batch }: { batch?: Batch }): IDataObject[] {
	return batch?.recipients ?? [];
}
