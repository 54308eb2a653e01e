import isEqual from 'lodash/isEqual';
import type { IDataObject } from 'n8n-workflow';
import { mapConcurrently } from './concurrency';
import { failureOf } from './errors';
import { ListIncomplete, ListTooLong, PageEmpty, PageParameterIgnored } from './listErrors';
import { isEmptyKey, ListRecords } from './listRecords';
import type { ListRequest, Page } from './page';

/** More than n8n can hold in memory. A higher Limit is the choice of the user. */
const MAX_RECORDS = 1_000_000;

/** Where the end is known, so many groups are fetched together: no page waits for the slowest of a few. */
const GROUPS_AHEAD = 10;

/**
 * Without an index or a total in the response, this many pages without anything new mean that the
 * page parameter is ignored. Not one: a whole page of records may have been added in front.
 */
const MAX_REPETITIONS = 2;

/** The totals that the pages of one pass tell. */
interface Totals {
	first?: number;
	latest?: number;
	most: number;
	changed: boolean;
	/** Records were removed, so others may have moved to a page that had been read already. */
	shrank: boolean;
}

/** One pass through the pages of a list, from the first to the last or to the limit. */
export class ListPass {
	private readonly request: ListRequest;
	private readonly records: ListRecords;
	private readonly totals: Totals = { most: 0, changed: false, shrank: false };
	private firstIndex = 1;
	private firstSize = 0;
	private next = 1;
	private totalPages: number | undefined;
	private previous: Page = { items: [] };
	private repetitions = 0;
	private received = 0;
	/** The index of the first page without records. */
	private emptyPage: number | undefined;

	constructor(request: ListRequest) {
		this.request = request;
		this.records = new ListRecords(request.keyOf);
	}

	/** Reads the pages. */
	async read(): Promise<void> {
		const { fetchPage, firstPageIndex, pagesAtOnce } = this.request;
		const first = await fetchPage(firstPageIndex);
		this.firstIndex = first.pageIndex ?? firstPageIndex ?? 1;
		this.firstSize = first.items.length;
		this.next = this.firstIndex + 1;
		this.note(first);
		this.records.add(first.items);
		this.totalPages = first.totalPages;
		this.previous = first;
		if (first.items.length === 0) this.emptyPage = this.firstIndex;
		for (let indexes = this.nextIndexes(); indexes.length > 0; indexes = this.nextIndexes()) {
			const fetch = async (index: number) => await this.fetch(index);
			const pages = await mapConcurrently(indexes, pagesAtOnce, fetch);
			indexes.forEach((index, position) => this.take(index, pages[position] as Page));
			this.next += indexes.length;
		}
	}

	/**
	 * The records, up to the limit or more; undefined where the list has to be read again.
	 * @throws ListIncomplete, PageEmpty instead of a part of a list that stood still
	 */
	result(): IDataObject[] | undefined {
		const { all, unique } = this.records;
		const { first, most, changed, shrank } = this.totals;
		if (first === undefined) {
			this.assertNoGap();
			return unique;
		}
		if (shrank) return undefined;
		if (changed) {
			// Of pages read one after the other, additions push no record out; of others, they may.
			const isSequential = this.request.pagesAtOnce === 1;
			if (this.isFull) return isSequential ? unique : undefined;
			const least = isSequential ? first : most;
			return unique.length >= least && unique.length <= most ? unique : undefined;
		}
		if (this.isFull) {
			this.assertFirstPage(first);
			return all;
		}
		if (all.length === first) return all;
		if (unique.length === first) return unique;
		throw new ListIncomplete(all.length, first);
	}

	private get isFull() {
		const { limit } = this.request;
		const keepsAll = this.totals.first !== undefined && !this.totals.changed;
		const count = keepsAll ? this.records.all.length : this.records.uniqueCount;
		return limit !== undefined && count >= limit;
	}

	/** The pages to fetch next: none at the end. */
	private nextIndexes(): number[] {
		if (this.isFull || this.emptyPage !== undefined) return [];
		const { limit, pagesAtOnce } = this.request;
		const { totalPages, next, firstIndex } = this;
		const last = totalPages === undefined ? Infinity : firstIndex + totalPages - 1;
		const missing = (limit ?? Infinity) - this.records.uniqueCount;
		// Judged by the size that the first page really had.
		const wanted = Math.ceil(missing / Math.max(this.firstSize, 1));
		const isKnown = totalPages !== undefined && next > firstIndex + 1;
		const group = pagesAtOnce * (isKnown ? GROUPS_AHEAD : 1);
		const count = Math.max(0, Math.min(group, last - next + 1, Math.max(wanted, 1)));
		return Array.from({ length: count }, (_, offset) => next + offset);
	}

	private async fetch(index: number): Promise<Page> {
		const page = await this.request.fetchPage(index).catch((error: unknown): Page => {
			// Without a number of pages, the page after the last one may not be found.
			const isEnd = this.totalPages === undefined && failureOf(error)?.httpCode === '404';
			if (isEnd) return { items: [] };
			throw error;
		});
		if (page.pageIndex !== undefined && page.pageIndex !== index) {
			throw this.ignored(index, page.pageIndex);
		}
		// In the order of arrival, so that a removal between two additions is seen.
		this.note(page);
		return page;
	}

	private note({ totalRecords, items }: Page) {
		this.received += items.length;
		if (this.request.limit === undefined && this.received > MAX_RECORDS) {
			throw new ListTooLong(MAX_RECORDS);
		}
		if (totalRecords === undefined) return;
		const { totals } = this;
		totals.first ??= totalRecords;
		totals.changed ||= totalRecords !== totals.first;
		totals.shrank ||= totalRecords < (totals.latest ?? totalRecords);
		totals.latest = totalRecords;
		totals.most = Math.max(totals.most, totalRecords);
	}

	/** Takes a page in the order of the list. */
	private take(index: number, page: Page) {
		const added = this.records.add(page.items);
		// The newest response counts: a list that grew has more pages now.
		this.totalPages = page.totalPages ?? this.totalPages;
		if (page.items.length === 0) this.emptyPage ??= index;
		else this.assertAdvance(index, page, added);
		this.previous = page;
	}

	/** Where the service tells no index, a page that repeats the one before was not chosen by it. */
	private assertAdvance(index: number, page: Page, added: number) {
		if (page.pageIndex !== undefined) return;
		const repeats = this.hasSameRecords(page, this.previous);
		if (page.totalRecords !== undefined) {
			if (repeats && !this.totals.changed) throw this.ignored(index);
			return;
		}
		this.repetitions = repeats || added === 0 ? this.repetitions + 1 : 0;
		if (this.repetitions === MAX_REPETITIONS) throw this.ignored(index);
	}

	private ignored(requested: number, received?: number): PageParameterIgnored {
		const isInPath = this.request.firstPageIndex !== undefined;
		return new PageParameterIgnored(requested, received, isInPath);
	}

	private hasSameRecords({ items }: Page, { items: others }: Page): boolean {
		if (items.length !== others.length) return false;
		const keys = items.map((item) => this.request.keyOf(item));
		if (new Set(keys).size === keys.length && !keys.some(isEmptyKey)) {
			return isEqual(
				keys,
				others.map((item) => this.request.keyOf(item)),
			);
		}
		// Records that are all equal tell no page from another.
		return isEqual(items, others) && !items.every((item) => isEqual(item, items[0]));
	}

	/** A page that is too short for the number of pages is the last one, not the first. */
	private assertFirstPage(totalRecords: number) {
		const { totalPages, firstSize } = this;
		if (this.request.firstPageIndex === undefined || totalPages === undefined) return;
		if (firstSize * totalPages >= totalRecords) return;
		throw new ListIncomplete(firstSize, totalRecords);
	}

	private assertNoGap() {
		const { totalPages, emptyPage, firstIndex } = this;
		if (totalPages === undefined || emptyPage === undefined) return;
		const number = emptyPage - firstIndex + 1;
		if (number > 1 && number <= totalPages) throw new PageEmpty(number, totalPages);
	}
}
