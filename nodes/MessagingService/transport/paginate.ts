import isEqual from 'lodash/isEqual';
import type { IDataObject } from 'n8n-workflow';
import { mapConcurrently } from './concurrency';
import { failureOf } from './errors';
import {
	listChanging,
	listIncomplete,
	listTooLong,
	pageEmpty,
	pageParameterIgnored,
} from './listErrors';
import type { ListRequest, Page } from './page';

/** A list that changed while it was read is read again, this many times in total. */
const MAX_PASSES = 3;

/** More than n8n can hold in memory. A higher Limit is the choice of the user. */
const MAX_RECORDS = 1_000_000;

/** So many groups are fetched together: no page waits for the slowest of a few. */
const GROUPS_AHEAD = 10;

/** Without a total, one page with nothing new may have been pushed back by a page of new records. */
const MAX_REPETITIONS = 2;

/**
 * Reads a list page by page: every record once, in the order of the service. Of a list without a
 * total that moves in every pass, no pass has to have seen every record, so it gives those of all.
 * @param keep what is kept of a record, for lists too long to hold; by default the record itself
 * @returns up to the limit; where records give several results, enough records for it
 * @throws ListProblem where records may be missing, or are too many for the memory
 */
export async function readList<Kept = IDataObject>(
	request: ListRequest,
	keep: (record: IDataObject) => Kept = (record) => record as Kept,
): Promise<Kept[]> {
	const seen = new Map<unknown, Kept>();
	for (let passes = 1; ; passes++) {
		const isLast = passes === MAX_PASSES;
		const pass = new ListPass(passes === 1 ? request : { ...request, pagesAtOnce: 1 }, keep);
		await pass.read();
		let records = pass.result(isLast);
		if (!pass.hasTotal) {
			for (const [key, kept] of pass.unique) seen.set(key, kept);
			if (pass.isComplete || isLast) records = [...seen.values()];
		}
		if (records !== undefined) {
			return request.resultsOf === undefined ? records.slice(0, request.limit) : records;
		}
		if (isLast) throw listChanging(passes);
	}
}

/** One pass through the pages of a list, from the first to the last or to the limit. */
class ListPass<Kept> {
	/** The records by their keys, each as it came first. */
	readonly unique = new Map<unknown, Kept>();
	/** How many records came, those that came twice included. */
	private received = 0;
	/** The totals that the responses told, in the order of their arrival. */
	private readonly totals: number[] = [];
	/** How many results the unique records give. */
	private results = 0;
	private firstPage: Page = { items: [] };
	private totalPages: number | undefined;
	/** A page had no records. */
	private isAtEnd = false;
	private repetitions = 0;
	private readonly request: ListRequest;
	private readonly keep: (record: IDataObject) => Kept;

	constructor(request: ListRequest, keep: (record: IDataObject) => Kept) {
		this.request = request;
		this.keep = keep;
	}

	/** Whether the service tells how many records there are. */
	get hasTotal(): boolean {
		return this.totals.length > 0;
	}

	/** Whether nothing is missing, as far as a pass without a total can tell. */
	get isComplete(): boolean {
		return this.isFull || this.unique.size === this.received;
	}

	private get isFull(): boolean {
		return this.results >= (this.request.limit ?? Infinity);
	}

	/** Reads the pages. */
	async read(): Promise<void> {
		const { fetchPage, firstPageIndex, pagesAtOnce } = this.request;
		this.firstPage = await fetchPage(firstPageIndex);
		this.note(this.firstPage);
		this.take(this.firstPage);
		const firstIndex = this.firstPage.pageIndex ?? firstPageIndex ?? 1;
		const fetch = async (number: number) => await this.fetch(number, firstIndex);
		for (let numbers = this.nextPages(2); numbers.length > 0;) {
			const pages = await mapConcurrently(numbers, pagesAtOnce, fetch);
			for (const page of pages) this.take(page);
			numbers = this.nextPages((numbers.at(-1) ?? 1) + 1);
		}
	}

	/**
	 * The records of a list with a total, up to the limit or more; undefined where some may be missing.
	 * @throws ListProblem where there is no other pass, and the list stood still
	 */
	result(isLast: boolean): Kept[] | undefined {
		const { isFull, received, totals, unique } = this;
		const [least = 0] = totals;
		const most = totals.at(-1) ?? least;
		if (!this.hasTotal || !this.isSteady) return undefined;
		// A record that came twice has moved, so another one may be missing.
		const isWhole = isFull
			? received === unique.size || most > least || isLast
			: unique.size >= least && unique.size <= most;
		if (isWhole) return [...unique.values()];
		if (isLast && received !== least) throw listIncomplete(received, least);
		return undefined;
	}

	/** Whether no record can have moved to a page that had been read: that needs a removal. */
	private get isSteady(): boolean {
		// Where pages are read one after the other, an addition only moves records to later pages.
		const mayGrow = this.request.pagesAtOnce === 1;
		return this.totals.every((total, place) => {
			const before = this.totals[place - 1] ?? total;
			return total === before || (mayGrow && total > before);
		});
	}

	/** The numbers of the pages to fetch next: none at the end, several where the end is known. */
	private nextPages(next: number): number[] {
		const { limit = Infinity, pagesAtOnce } = this.request;
		const { totalPages = Infinity, results, isAtEnd } = this;
		if (isAtEnd || results >= limit) return [];
		const group = pagesAtOnce === 1 || totalPages === Infinity ? 1 : pagesAtOnce * GROUPS_AHEAD;
		// Judged by the size that the first page really had.
		const wanted = Math.ceil((limit - results) / this.firstPage.items.length);
		const length = Math.max(0, Math.min(group, totalPages - next + 1, wanted));
		return Array.from({ length }, (_, offset) => next + offset);
	}

	/** Fetches a page after the first. */
	private async fetch(number: number, firstIndex: number): Promise<Page> {
		const index = firstIndex + number - 1;
		const page = await this.request.fetchPage(index).catch((error: unknown): Page => {
			// Without a number of pages, the page after the last one may not be found.
			const isEnd = this.totalPages === undefined && failureOf(error)?.httpCode === '404';
			if (isEnd) return { items: [] };
			throw error;
		});
		const { pageIndex, totalPages = 0, totalRecords, items } = page;
		const isOther = pageIndex !== undefined && pageIndex !== index;
		if (isOther || (pageIndex === undefined && this.isRepeated(page))) {
			const isInPath = this.request.firstPageIndex !== undefined;
			throw pageParameterIgnored(index, pageIndex, isInPath);
		}
		if (items.length === 0 && number <= totalPages && totalRecords === undefined) {
			throw pageEmpty(number, totalPages);
		}
		this.note(page);
		return page;
	}

	/** In the order of arrival, so that a removal between two additions is seen. */
	private note({ totalRecords }: Page): void {
		if (totalRecords !== undefined) this.totals.push(totalRecords);
	}

	/** Whether a page shows that the service does not return the pages it is asked for. */
	private isRepeated({ items, totalRecords }: Page): boolean {
		const idsOf = (page: Page) => page.items.map((item) => this.idOf(item));
		const isFirst = isEqual(idsOf({ items }), idsOf(this.firstPage));
		if (totalRecords !== undefined) {
			return isFirst && this.totals.every((total) => total === totalRecords);
		}
		const isKnown = isFirst || items.every((item) => this.unique.has(this.idOf(item)));
		this.repetitions = isKnown && items.length > 0 ? this.repetitions + 1 : 0;
		return this.repetitions === MAX_REPETITIONS;
	}

	/** Takes a page in the order of the list. */
	private take({ items, totalPages }: Page): void {
		// The newest response counts: a list that grew has more pages now.
		this.totalPages = totalPages ?? this.totalPages;
		this.isAtEnd ||= items.length === 0;
		for (const item of items) {
			const id = this.idOf(item);
			if (this.unique.has(id)) continue;
			this.unique.set(id, this.keep(item));
			this.results += this.request.resultsOf?.(item) ?? 1;
		}
		this.received += items.length;
		if (this.request.limit === undefined && this.received > MAX_RECORDS) {
			throw listTooLong(MAX_RECORDS);
		}
	}

	/** What tells a record apart: its key or, without one, the record itself. */
	private idOf(record: IDataObject): unknown {
		const key = this.request.keyOf(record);
		return key === undefined || key === null || key === '' ? record : key;
	}
}
