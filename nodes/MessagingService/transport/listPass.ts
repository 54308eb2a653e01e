import isEqual from 'lodash/isEqual';
import type { IDataObject } from 'n8n-workflow';
import { mapConcurrently } from './concurrency';
import { failureOf } from './errors';
import {
	listIncomplete,
	type ListProblem,
	listTooLong,
	pageEmpty,
	pageParameterIgnored,
} from './listErrors';
import type { ListRequest, Page } from './page';

/** More than n8n can hold in memory. A higher Limit is the choice of the user. */
const MAX_RECORDS = 1_000_000;

/** Where the end is known, so many groups are fetched together: no page waits for the slowest of a few. */
const GROUPS_AHEAD = 10;

/**
 * Without an index or a total in the response, this many pages in a row without anything new mean
 * that the page parameter is ignored. Not one: a whole page may have been added in front.
 */
const MAX_REPETITIONS = 2;

/** One pass through the pages of a list, from the first to the last or to the limit. */
export class ListPass<Kept> {
	private readonly request: ListRequest;
	private readonly keep: (record: IDataObject) => Kept;
	/** What is kept of all records received. */
	private readonly all: Kept[] = [];
	/** The first record with each key; one without a key has a symbol of its own. */
	private readonly first = new Map<unknown, Kept>();
	/** A record came a second time, so that another one may be missing. */
	private hasMoved = false;
	/** Whether keys tell records apart: a record does not move within a page. */
	private isKeyed = true;
	/** The totals that the responses told, in the order of their arrival. */
	private readonly totals: number[] = [];
	/** Results of all records, and of those whose key is new. */
	private results = { all: 0, unique: 0 };
	private firstIndex = 1;
	private firstSize = 0;
	private next = 1;
	private totalPages: number | undefined;
	private previous: IDataObject[] = [];
	private repetitions = 0;
	private received = 0;
	/** The index of the first page without records. */
	private emptyPage: number | undefined;

	constructor(request: ListRequest, keep: (record: IDataObject) => Kept) {
		this.request = request;
		this.keep = keep;
	}

	/** Whether the service tells how many records there are. */
	get hasTotal(): boolean {
		return this.totals.length > 0;
	}

	/** Reads the pages. */
	async read(): Promise<void> {
		const { fetchPage, firstPageIndex, pagesAtOnce } = this.request;
		const first = await fetchPage(firstPageIndex);
		this.firstIndex = first.pageIndex ?? firstPageIndex ?? 1;
		this.firstSize = first.items.length;
		this.next = this.firstIndex + 1;
		this.note(first);
		this.take(this.firstIndex, first);
		for (let indexes = this.nextIndexes(); indexes.length > 0; indexes = this.nextIndexes()) {
			const fetch = async (index: number) => await this.fetch(index);
			const pages = await mapConcurrently(indexes, pagesAtOnce, fetch);
			indexes.forEach((index, position) => this.take(index, pages[position] as Page));
			this.next += indexes.length;
		}
	}

	/**
	 * The records, up to the limit or more; undefined where the list moved and has to be read again.
	 * @param isLast whether there is no other pass: what comes twice with another content shares a key
	 * @throws ListProblem instead of a part of a list that stood still
	 */
	result(isLast: boolean): Kept[] | undefined {
		const { all, unique, hasMoved } = this;
		const [first] = this.totals;
		const isClear = unique.length === all.length || (isLast && !hasMoved);
		if (first === undefined) {
			this.assertNoGap();
			return isClear || this.isFull ? unique : undefined;
		}
		if (this.hasShrunk) return undefined;
		if (this.hasGrown) {
			// Of pages read one after the other, additions push no record out; of others, they may.
			const isSequential = this.request.pagesAtOnce === 1;
			if (this.isFull) return isSequential ? unique : undefined;
			const most = this.totals.at(-1) ?? first;
			const least = isSequential ? first : most;
			return unique.length >= least && unique.length <= most ? unique : undefined;
		}
		if (this.isFull) {
			this.assertFirstPage(first);
			if (isClear) return all;
			return isLast ? unique : undefined;
		}
		if (unique.length === first) return unique;
		if (all.length === first && isClear) return all;
		if (isLast && all.length !== first) throw listIncomplete(all.length, first);
		return undefined;
	}

	/** The records of this pass, and those that only earlier ones saw. */
	with(earlier: ReadonlyMap<unknown, Kept>): Kept[] {
		const missed = [...earlier].filter(([key]) => !this.first.has(key));
		return [...this.unique, ...missed.map(([, kept]) => kept)];
	}

	/** Adds the records to those of earlier passes. */
	addTo(earlier: Map<unknown, Kept>): void {
		for (const [key, kept] of this.first) if (typeof key !== 'symbol') earlier.set(key, kept);
	}

	/** Records were removed, so others may have moved to a page that had been read already. */
	private get hasShrunk(): boolean {
		return this.totals.some((total, place) => total < (this.totals[place - 1] ?? total));
	}

	private get hasGrown(): boolean {
		return this.totals.some((total) => total > (this.totals[0] ?? total));
	}

	/** The records without those that came before: they moved, or share a key. */
	private get unique(): Kept[] {
		const { first, all, uniqueCount } = this;
		return uniqueCount === all.length ? all : [...first.values()];
	}

	private get uniqueCount(): number {
		return this.isKeyed ? this.first.size : this.all.length;
	}

	/** How many results there are. */
	private get count(): number {
		return this.isKeyed ? this.results.unique : this.results.all;
	}

	private get isFull(): boolean {
		return this.count >= (this.request.limit ?? Infinity);
	}

	/** The pages to fetch next: none at the end. */
	private nextIndexes(): number[] {
		if (this.isFull || this.emptyPage !== undefined) return [];
		const { limit, pagesAtOnce } = this.request;
		const { totalPages, next, firstIndex } = this;
		const last = totalPages === undefined ? Infinity : firstIndex + totalPages - 1;
		// Judged by the size that the first page really had.
		const missing = (limit ?? Infinity) - this.count;
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

	private note({ totalRecords, items }: Page): void {
		this.received += items.length;
		if (this.request.limit === undefined && this.received > MAX_RECORDS) {
			throw listTooLong(MAX_RECORDS);
		}
		if (totalRecords === undefined) return;
		this.totals.push(totalRecords);
	}

	/** Takes a page in the order of the list. */
	private take(index: number, page: Page): void {
		const before = this.uniqueCount;
		this.add(page.items);
		const added = this.uniqueCount - before;
		// The newest response counts: a list that grew has more pages now.
		this.totalPages = page.totalPages ?? this.totalPages;
		if (page.items.length === 0) this.emptyPage ??= index;
		else if (index !== this.firstIndex) this.assertAdvance(index, page, added);
		this.previous = page.items;
	}

	private add(items: readonly IDataObject[]): void {
		const onPage = new Set<unknown>();
		for (const item of items) {
			const kept = this.keep(item);
			const results = this.request.resultsOf?.(item) ?? 1;
			const key = this.request.keyOf(item);
			const id = isEmptyKey(key) ? Symbol('none') : key;
			if (!this.first.has(id)) {
				this.first.set(id, kept);
				this.results.unique += results;
			} else if (isEqual(kept, this.first.get(id))) this.hasMoved = true;
			else if (onPage.has(id)) this.isKeyed = false;
			onPage.add(id);
			this.results.all += results;
			this.all.push(kept);
		}
	}

	/** Where the service tells no index, a page that repeats the one before was not chosen by it. */
	private assertAdvance(index: number, page: Page, added: number): void {
		if (page.pageIndex !== undefined) return;
		const repeats = this.hasSameRecords(page.items, this.previous);
		if (page.totalRecords !== undefined) {
			if (repeats && !this.hasGrown && !this.hasShrunk) throw this.ignored(index);
			return;
		}
		this.repetitions = repeats || added === 0 ? this.repetitions + 1 : 0;
		if (this.repetitions === MAX_REPETITIONS) throw this.ignored(index);
	}

	private ignored(requested: number, received?: number): ListProblem {
		const isInPath = this.request.firstPageIndex !== undefined;
		return pageParameterIgnored(requested, received, isInPath);
	}

	private hasSameRecords(items: readonly IDataObject[], others: readonly IDataObject[]): boolean {
		if (items.length !== others.length) return false;
		const keys = items.map((item) => this.request.keyOf(item));
		if (new Set(keys).size < keys.length || keys.some(isEmptyKey)) return isEqual(items, others);
		return others.every((other, place) => this.request.keyOf(other) === keys[place]);
	}

	/** A page that is too short for the number of pages is the last one, not the first. */
	private assertFirstPage(totalRecords: number): void {
		const { totalPages, firstSize } = this;
		if (this.request.firstPageIndex === undefined || totalPages === undefined) return;
		if (firstSize * totalPages >= totalRecords) return;
		throw listIncomplete(firstSize, totalRecords);
	}

	private assertNoGap(): void {
		const { totalPages, emptyPage, firstIndex } = this;
		if (totalPages === undefined || emptyPage === undefined) return;
		const number = emptyPage - firstIndex + 1;
		if (number > 1 && number <= totalPages) throw pageEmpty(number, totalPages);
	}
}

/** Whether a key identifies nothing. */
function isEmptyKey(key: unknown): boolean {
	return key === undefined || key === null || key === '';
}
