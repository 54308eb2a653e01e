/** Recipients whose campaigns start at the same time. */
export interface Group {
	recipients: unknown[];
	places: number[];
	startDateTime?: string;
}

/** The recipients of one request. */
export interface Batch {
	recipients: unknown[];
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign of how many it is, where a long list is split. */
	part: number;
	parts: number;
	/** When it starts, where the sending hours of its recipients decide: ISO 8601 in UTC. */
	startDateTime?: string;
}
