import isEqual from 'lodash/isEqual';
import type { IDataObject } from 'n8n-workflow';
import { mapConcurrently } from './concurrency';
import type { PageEnvelope } from './request';

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
export function toPage(envelope: PageEnvelope): Page {
	return {
		pageIndex: toInteger(envelope.pageIndex),
		totalPages: toInteger(envelope.totalPages),
		totalRecords: toInteger(envelope.totalRecords),
		items: envelope.items,
	};
}

function toInteger(value: unknown): number | undefined {
	if (value === null || value === undefined || value === '') return undefined;
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : undefined;
}

/** The service answers the same page whatever page is asked for. */
export class PageParameterIgnored extends Error {
	readonly description: string;

	constructor(askedFor: number, received: number | undefined) {
		super('The service ignores which page is asked for');
		this.name = 'PageParameterIgnored';
		const answer = received === undefined ? 'the same records again' : `page ${received}`;
		this.description = `Asked for page ${askedFor}, it answered ${answer}, so the list cannot be read to its end. Set the names that the service gives its paging parameters under "Service Conventions" in the credential.`;
	}
}

/** The pages held fewer records than the service says there are. */
export class ListIncomplete extends Error {
	readonly description: string;

	constructor(received: number, totalRecords: number) {
		super(`The service gave ${received} of ${totalRecords} records`);
		this.name = 'ListIncomplete';
		this.description =
			'Some are on pages that were not asked for. Set the index of the first page under "Service Conventions" in the credential.';
	}
}

/** The service goes on giving pages beyond what a list can have. */
export class ListEndless extends Error {
	readonly description =
		'Set a Limit, or Filters that narrow the list down. If it cannot be so long, ask the service operator.';

	constructor(what: string) {
		super(`The list has no end: the service gave ${what}`);
		this.name = 'ListEndless';
	}
}

/** More than n8n can hold in memory. A higher Limit is the choice of the user. */
const MOST_RECORDS = 1_000_000;

/** A service that filters after paging may give a few pages without records. */
const MOST_EMPTY_PAGES = 100;

/** How many times the pages fetched at once are asked for before what they say is looked at. */
const GROUPS_AHEAD = 10;

/** A list that changed while it was read is read again, at most this many times in all. */
const MOST_WALKS = 3;

/**
 * Pages in a row without anything new, after which the page parameter counts as ignored. Not one:
 * a whole page of records may have been added in front between two requests.
 */
const MOST_REPETITIONS = 2;

/**
 * Reads a list page by page: every record once, in the order of the service. Pages after the first
 * are fetched several at a time. Records that move to another page while the list is read (because
 * others are added or, where the service tells the total, removed) are neither repeated nor lost.
 * @throws PageParameterIgnored instead of going round in circles
 * @throws ListIncomplete instead of a part of a list that stood still
 * @throws ListEndless instead of going on for ever
 */
export async function readList(request: ListRequest): Promise<IDataObject[]> {
	const walks: Records[] = [];
	for (;;) {
		const records = new Records(request);
		// The newest walk comes first: its order is the service's.
		walks.unshift(records);
		const { totalRecords, changed, shrank } = await walkPages(request, records);
		const hasAll = totalRecords === undefined || records.size >= totalRecords;
		if (!changed && !records.isFull && !hasAll && records.received < totalRecords) {
			throw new ListIncomplete(records.received, totalRecords);
		}
		// Where records were removed, others moved to a page that had been read already.
		if (!shrank && (records.isFull || !changed || hasAll)) return records.all();
		if (walks.length === MOST_WALKS) break;
	}
	// It never stood still: what only an earlier walk saw may have been missed by the last.
	const union = new Records(request);
	for (const records of walks) union.add(records.all());
	return union.all();
}

/** The records read so far, each once. */
class Records {
	/** Records received, repeated ones included. */
	received = 0;

	private readonly records: IDataObject[] = [];

	private readonly keys = new Set<unknown>();

	private readonly request: ListRequest;

	constructor(request: ListRequest) {
		this.request = request;
	}

	get size() {
		return this.records.length;
	}

	get isFull() {
		return this.request.limit !== undefined && this.size >= this.request.limit;
	}

	/** Adds what is new, and says how much that was. */
	add(items: readonly IDataObject[]): number {
		const before = this.size;
		this.received += items.length;
		for (const item of items) {
			this.keys.add(keyOf(this.request, item));
			// Asked of the set beforehand, each key would be looked up twice.
			if (this.keys.size > this.size) this.records.push(item);
		}
		return this.size - before;
	}

	all(): IDataObject[] {
		return this.records.slice(0, this.request.limit);
	}
}

/** A record without a key cannot be compared: it is its own key. */
function keyOf(request: ListRequest, record: IDataObject): unknown {
	return request.keyOf(record) ?? record;
}

async function walkPages(request: ListRequest, records: Records) {
	const first = await request.fetchPage(request.firstPageIndex);
	records.add(first.items);
	const firstIndex = first.pageIndex ?? request.firstPageIndex ?? 1;
	let { totalPages, totalRecords } = first;
	let latestTotal = totalRecords;
	let shrank = false;
	let changed = false;
	let previous = first;
	let repetitions = 0;
	let fetched = first.items.length;
	let emptyPages = 0;
	let next = firstIndex + 1;

	while (!records.isFull) {
		const last = totalPages === undefined ? Infinity : firstIndex + totalPages - 1;
		const wanted = pagesForLimit(request, records, first);
		// Where the end is known, further ahead: then no page waits for the slowest of a few.
		const isKnown = totalPages !== undefined && next > firstIndex + 1;
		const ahead = isKnown ? GROUPS_AHEAD : 1;
		const count = Math.min(request.pagesAtOnce * ahead, last - next + 1, wanted);
		if (count <= 0 || first.items.length === 0) break;
		const indexes = Array.from({ length: count }, (_, offset) => next + offset);
		const pages = await mapConcurrently(indexes, request.pagesAtOnce, async (index) => {
			const page = await request.fetchPage(index);
			assertPage(index, page);
			fetched += page.items.length;
			if (request.limit === undefined && fetched > MOST_RECORDS) {
				throw new ListEndless(`more than ${MOST_RECORDS} records`);
			}
			// In the order of arrival, so that a removal between two additions is seen.
			const total = page.totalRecords ?? latestTotal;
			if (total !== undefined && latestTotal !== undefined) shrank ||= total < latestTotal;
			latestTotal = total;
			return page;
		});
		let firstAgain: number | undefined;
		for (const [position, page] of pages.entries()) {
			const added = records.add(page.items);
			emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
			if (emptyPages === MOST_EMPTY_PAGES) {
				throw new ListEndless(`${MOST_EMPTY_PAGES} pages without a record in a row`);
			}
			const isRepetition =
				page.items.length > 0 && (added === 0 || hasSameRecords(request, page, previous));
			repetitions = isRepetition ? repetitions + 1 : 0;
			if (totalPages === undefined && repetitions === MOST_REPETITIONS) {
				throw new PageParameterIgnored(next + position, page.pageIndex);
			}
			if (isRepetition && hasSameRecords(request, page, first)) firstAgain ??= next + position;
			previous = page;
			changed ||= page.totalRecords !== totalRecords;
			// The newest answer counts: a list that grew has more pages now.
			totalPages = page.totalPages ?? totalPages;
			totalRecords = page.totalRecords ?? totalRecords;
		}
		// Unless the list changed: then as many records may have been added as removed in front.
		if (firstAgain !== undefined && totalPages !== undefined && !changed) {
			throw new PageParameterIgnored(firstAgain, undefined);
		}
		next += count;
		if (totalPages === undefined && pages.some(({ items }) => items.length === 0)) break;
	}
	return { totalRecords, changed, shrank };
}

/** How many more pages a limit needs, judged by the size that the first page really had. */
function pagesForLimit({ limit }: ListRequest, records: Records, first: Page): number {
	if (limit === undefined) return Infinity;
	return Math.ceil((limit - records.size) / Math.max(first.items.length, 1));
}

function assertPage(askedFor: number, { pageIndex }: Page) {
	if (pageIndex !== undefined && pageIndex !== askedFor) {
		throw new PageParameterIgnored(askedFor, pageIndex);
	}
}

function hasSameRecords(request: ListRequest, page: Page, other: Page): boolean {
	const keysOf = ({ items }: Page) => items.map((record) => keyOf(request, record));
	return isEqual(keysOf(page), keysOf(other));
}
