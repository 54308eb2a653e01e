import type { JsonList } from '../jsonList';

/** The recipients of a request; those of a file are kept as JSON. */
export type RecipientList = unknown[] | JsonList;

/** Recipients whose campaigns start at the same time. */
export interface Group<List extends RecipientList = unknown[]> {
	recipients: List;
	places: number[];
	startDateTime?: string;
}

/** The recipients of one request. */
export interface Batch {
	recipients: RecipientList;
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign of how many it is, where a long list is split; of a file, how many is not known. */
	part: number;
	parts?: number;
	/** When it starts, where the sending hours of its recipients decide: ISO 8601 in UTC. */
	startDateTime?: string;
}
