import type { IDataObject } from 'n8n-workflow';

/**
 * The records of a list as they come in. A record that moved to a later page comes a second time:
 * `unique` leaves it out where it has the same key and the same content. Records without a key
 * cannot be compared and always stay.
 */
export class ListRecords {
	/** All records received. */
	readonly all: IDataObject[] = [];

	/** Indexes in `all` of those that came before. */
	private readonly repeated = new Set<number>();

	/** The first record with each key. */
	private readonly firsts = new Map<unknown, IDataObject>();

	/** The contents of records that share a key. */
	private readonly contents = new Map<unknown, Set<string>>();

	private readonly keyOf: (record: IDataObject) => unknown;

	constructor(keyOf: (record: IDataObject) => unknown) {
		this.keyOf = keyOf;
	}

	/** Number of records that are not the same as one before. */
	get uniqueCount() {
		return this.all.length - this.repeated.size;
	}

	get unique(): IDataObject[] {
		if (this.repeated.size === 0) return this.all;
		return this.all.filter((_, index) => !this.repeated.has(index));
	}

	/** Adds a page, and says how many records on it are new. */
	add(items: readonly IDataObject[]): number {
		const before = this.uniqueCount;
		for (const item of items) {
			if (this.isKnown(item)) this.repeated.add(this.all.length);
			this.all.push(item);
		}
		return this.uniqueCount - before;
	}

	private isKnown(record: IDataObject): boolean {
		const key = this.keyOf(record);
		if (isEmptyKey(key)) return false;
		const first = this.firsts.get(key);
		if (first === undefined) {
			this.firsts.set(key, record);
			return false;
		}
		const contents = this.contents.get(key) ?? new Set([JSON.stringify(first)]);
		this.contents.set(key, contents);
		const content = JSON.stringify(record);
		if (contents.has(content)) return true;
		contents.add(content);
		return false;
	}
}

/** Whether a key identifies nothing. */
export function isEmptyKey(key: unknown): boolean {
	return key === undefined || key === null || key === '';
}
