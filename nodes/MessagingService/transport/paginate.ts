import isEqual from 'lodash/isEqual';
import type { IDataObject } from 'n8n-workflow';
import { mapConcurrently } from './concurrency';

/** One page of a list as the service answered it (interface, "Paginated envelope"). */
export interface Page {
	/** Index of the page as the service says it; undefined where the list has no envelope. */
	pageIndex?: number;
	totalPages?: number;
	totalRecords?: number;
	items: IDataObject[];
}

/** How one list is read. */
export interface ListRequest {
	/**
	 * Fetches one page. `pageIndex` is undefined for the first page of a list that tells its first
	 * index itself.
	 */
	fetchPage(pageIndex: number | undefined): Promise<Page>;
	/** Index to ask for first; undefined where the first answer tells it. */
	firstPageIndex?: number;
	/** What makes a record the same record when it shows up on two pages. */
	keyOf(record: IDataObject): unknown;
	/** Number of records wanted; undefined for all. */
	limit?: number;
	/** Pages fetched at the same time after the first. */
	pagesAtOnce: number;
}

/** Reads an envelope. An integer may come as its digits. */
export function toPage(envelope: IDataObject): Page {
	return {
		pageIndex: toInteger(envelope.pageIndex),
		totalPages: toInteger(envelope.totalPages),
		totalRecords: toInteger(envelope.totalRecords),
		items: Array.isArray(envelope.items) ? (envelope.items as IDataObject[]) : [],
	};
}

function toInteger(value: unknown): number | undefined {
	if (value === null || value === undefined || value === '') return undefined;
	const number = Number(value);
	return Number.isInteger(number) ? number : undefined;
}

/** The service answers the same page whatever page is asked for. */
export class PageParameterIgnored extends Error {
	readonly description: string;

	constructor(askedFor: number, received: number | undefined) {
		super('The service ignores which page is asked for');
		this.name = 'PageParameterIgnored';
		const answer = received === undefined ? 'the first page again' : `page ${received}`;
		this.description = `Asked for page ${askedFor}, it answered ${answer}, so the list cannot be read to its end. Set the names that the service gives its paging parameters under "Service Conventions" in the credential.`;
	}
}

/** A list that changed while it was read is read again, at most this many times in all. */
const MOST_WALKS = 3;

/**
 * Reads a list page by page: every record once, in the order of the service. Pages after the first
 * are fetched several at a time. Records that move to another page while the list is read (because
 * others are added or removed) are neither repeated nor lost.
 * @throws PageParameterIgnored instead of going round in circles
 */
export async function readList(request: ListRequest): Promise<IDataObject[]> {
	const records = new Records(request);
	for (let walk = 1; walk <= MOST_WALKS; walk++) {
		const { totalRecords, changed } = await walkPages(request, records);
		if (records.isFull || !changed || totalRecords === undefined) break;
		if (records.size >= totalRecords) break;
	}
	return records.all();
}

/** The records read so far, each once. */
class Records {
	private readonly byKey = new Map<unknown, IDataObject>();

	private readonly request: ListRequest;

	constructor(request: ListRequest) {
		this.request = request;
	}

	get size() {
		return this.byKey.size;
	}

	get isFull() {
		return this.request.limit !== undefined && this.size >= this.request.limit;
	}

	/** Adds what is new, and says how much that was. */
	add(items: readonly IDataObject[]): number {
		const before = this.size;
		for (const item of items) {
			// A record without a key cannot be compared: it is its own key.
			const key = this.request.keyOf(item) ?? item;
			if (!this.byKey.has(key)) this.byKey.set(key, item);
		}
		return this.size - before;
	}

	all(): IDataObject[] {
		return [...this.byKey.values()].slice(0, this.request.limit);
	}
}

async function walkPages(request: ListRequest, records: Records) {
	const first = await request.fetchPage(request.firstPageIndex);
	records.add(first.items);
	const firstIndex = first.pageIndex ?? request.firstPageIndex ?? 1;
	let { totalPages, totalRecords } = first;
	let changed = false;
	let next = firstIndex + 1;

	while (!records.isFull) {
		const last = totalPages === undefined ? Infinity : firstIndex + totalPages - 1;
		const wanted = pagesForLimit(request, records, first);
		const count = Math.min(request.pagesAtOnce, last - next + 1, wanted);
		if (count <= 0 || first.items.length === 0) break;
		const indexes = Array.from({ length: count }, (_, offset) => next + offset);
		const pages = await mapConcurrently(indexes, request.pagesAtOnce, async (index) => {
			const page = await request.fetchPage(index);
			assertPage(index, page, first);
			return page;
		});
		next += count;
		for (const page of pages) {
			records.add(page.items);
			changed ||= page.totalRecords !== totalRecords;
			// The newest answer counts: a list that grew has more pages now.
			totalPages = page.totalPages ?? totalPages;
			totalRecords = page.totalRecords ?? totalRecords;
		}
		if (totalPages === undefined && pages.some(({ items }) => items.length === 0)) break;
	}
	return { totalRecords, changed };
}

/** How many more pages a limit needs, judged by the size that the first page really had. */
function pagesForLimit({ limit }: ListRequest, records: Records, first: Page): number {
	if (limit === undefined) return Infinity;
	return Math.ceil((limit - records.size) / Math.max(first.items.length, 1));
}

function assertPage(askedFor: number, page: Page, first: Page) {
	const isAnother = page.pageIndex !== undefined && page.pageIndex !== askedFor;
	const isFirstAgain = page.items.length > 0 && isEqual(page.items, first.items);
	if (isAnother || isFirstAgain) throw new PageParameterIgnored(askedFor, page.pageIndex);
}
