import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { figure } from '../texts';
import { FIRST_PAGE_NUMBER, type ListRequest } from './listRequests';
import type { Page } from './request';

/** A list that changed while it was read is read again, this many times in total. */
export const MAX_PASSES = 3;

/** More than n8n can hold in memory. A higher Limit is the choice of whoever asks for the list. */
const MAX_RECORDS = 1_000_000;

/** Without a total, one page with nothing new may have been pushed back by a page of new records. */
const MAX_REPETITIONS = 2;

/**
 * Reads a list page by page: every record once, in the order of the service. Of a list without a
 * total that moves in every pass, no pass has to have seen every record, so it gives those of all.
 * @param keep what is kept of a record, for lists too long to hold; by default the record itself
 * @returns up to the limit; where records give several results, enough records for it
 * @throws Failure where records may be missing, or are too many for the memory
 */
export async function readList<Kept = IDataObject>(
	request: ListRequest,
	keep: (record: IDataObject) => Kept = (record) => record as Kept,
): Promise<Kept[]> {
	let earlier = new Map<unknown, Kept>();
	for (let passes = 1; ; passes++) {
		const pass = new ListPass(request, keep);
		await pass.read();
		const { isComplete, unique } = pass;
		const { first, newest } = pass.totals;
		const hasTotal = first !== undefined;
		if (isComplete && (passes === 1 || hasTotal)) return upToLimit(request, unique);
		const isLast = passes === MAX_PASSES;
		if (isLast && hasTotal) throw listIncomplete(unique.size, Math.max(first, newest));
		for (const [key, kept] of earlier) if (!unique.has(key)) unique.set(key, kept);
		if (!hasTotal && (isComplete || isLast)) return upToLimit(request, unique);
		earlier = unique;
	}
}

function upToLimit<Kept>(
	{ limit, resultsOf }: ListRequest,
	records: ReadonlyMap<unknown, Kept>,
): Kept[] {
	const all = [...records.values()];
	return resultsOf === undefined ? all.slice(0, limit) : all;
}

/** How many records there are, as the responses of one pass say. */
export class Totals {
	/** Undefined where none says it. */
	first: number | undefined;
	newest = 0;
	/** Whether records were removed meanwhile: others may have moved to pages that had been read. */
	hasShrunk = false;

	note({ totalRecords }: Page): void {
		if (totalRecords === undefined) return;
		this.first ??= totalRecords;
		// An addition only moves records to later pages.
		this.hasShrunk ||= totalRecords < this.newest;
		this.newest = totalRecords;
	}
}

/** One pass through the pages of a list, from the first to the last or to the limit. */
class ListPass<Kept> {
	/** The records by their keys, each as it came first. */
	readonly unique = new Map<unknown, Kept>();
	readonly totals = new Totals();
	/** How many records came, those that came twice included. */
	private received = 0;
	/** How many results the unique records give. */
	private results = 0;
	private firstPage: Page = { items: [] };
	private totalPages: number | undefined;
	private isAtEnd = false;
	private repetitions = 0;
	private readonly request: ListRequest;
	private readonly keep: (record: IDataObject) => Kept;

	constructor(request: ListRequest, keep: (record: IDataObject) => Kept) {
		this.request = request;
		this.keep = keep;
	}

	/** Whether the limit is reached, or nothing is missing: a record that came twice has moved. */
	get isComplete(): boolean {
		const { unique, received, results } = this;
		const { first, hasShrunk } = this.totals;
		const isFull = results >= (this.request.limit ?? Infinity);
		if (first === undefined) return isFull || unique.size === received;
		return !hasShrunk && (isFull || unique.size >= first);
	}

	/** Reads the pages one after the other. */
	async read(): Promise<void> {
		const { fetchPage, firstPageIndex } = this.request;
		this.firstPage = await fetchPage(firstPageIndex);
		this.take(this.firstPage);
		const firstIndex = this.firstPage.pageIndex ?? firstPageIndex ?? FIRST_PAGE_NUMBER;
		for (let taken = 1; this.goesOn(taken); taken++) {
			const index = firstIndex + taken;
			const page = await this.fetch(index);
			this.check(page, taken + 1, index);
			this.take(page);
		}
	}

	private goesOn(taken: number): boolean {
		const { limit = Infinity } = this.request;
		const { isAtEnd, results, totalPages = Infinity } = this;
		return !isAtEnd && results < limit && taken < totalPages;
	}

	/** Fetches a page after the first. */
	private async fetch(index: number): Promise<Page> {
		return await this.request.fetchPage(index).catch((error: unknown): Page => {
			// Without a number of pages, the page after the last one may not be found.
			const isEnd = this.totalPages === undefined && Failure.of(error).facts.httpCode === '404';
			if (isEnd) return { items: [] };
			throw error;
		});
	}

	/** @throws Failure for another page than the one asked for, and for an empty one before the last */
	private check(page: Page, number: number, index: number): void {
		const { pageIndex, totalPages = 0, totalRecords, items } = page;
		if (pageIndex === undefined ? this.isRepeated(page) : pageIndex !== index) {
			throw pageParameterIgnored(index);
		}
		if (items.length === 0 && number <= totalPages && totalRecords === undefined) {
			throw pageEmpty(number, totalPages);
		}
	}

	/** Whether a page shows that the service does not return the pages it is asked for. */
	private isRepeated({ items, totalRecords }: Page): boolean {
		const idsOf = (page: Page) => page.items.map((item) => this.idOf(item));
		const ids = idsOf({ items });
		const isFirst = isEqual(ids, idsOf(this.firstPage));
		// A page of new records before the first would move it to this place, but add to the total.
		if (totalRecords !== undefined) {
			return isFirst && totalRecords === this.firstPage.totalRecords;
		}
		const isKnown = items.length > 0 && (isFirst || ids.every((id) => this.unique.has(id)));
		this.repetitions = isKnown ? this.repetitions + 1 : 0;
		return this.repetitions === MAX_REPETITIONS;
	}

	/** Takes a page in the order of the list. */
	private take(page: Page): void {
		const { items, totalPages } = page;
		// The newest response counts: a list that grew has more pages now.
		this.totalPages = totalPages ?? this.totalPages;
		this.isAtEnd ||= items.length === 0;
		this.totals.note(page);
		for (const item of items) {
			const id = this.idOf(item);
			if (this.unique.has(id)) continue;
			this.unique.set(id, this.keep(item));
			this.results += this.request.resultsOf?.(item) ?? 1;
		}
		this.received += items.length;
		if (this.request.limit === undefined && this.received > MAX_RECORDS) {
			throw listTooLong();
		}
	}

	private idOf(record: IDataObject): unknown {
		return identityOf(record, this.request);
	}
}

/** What tells a record apart: its key or, without one, the record itself. */
export function identityOf(record: IDataObject, { keyOf }: Pick<ListRequest, 'keyOf'>): unknown {
	const key = keyOf(record);
	return key === undefined || key === null || key === '' ? record : key;
}

/** The service returned another page than the requested one. */
function pageParameterIgnored(requested: number): Failure {
	return new Failure(
		'The service does not recognize the page parameter',
		`n8n requested page ${requested}, and the service returned another one, so the rest of the list cannot be read. Ask the service operator how pages are requested. Names of query parameters are set under "Service Conventions" in the credential.`,
	);
}

const WHEN_INCOMPLETE =
	'A page is incomplete, or records moved or were removed each time n8n read the list. Try again later, or narrow the list down with filters. If it stays so, ask the service operator which number is correct.';

/** However often the list was read, records may have been missed. */
function listIncomplete(received: number, total: number): Failure {
	if (received >= total) return listMoved();
	return new Failure(`The service returned ${received} of ${total} records`, WHEN_INCOMPLETE);
}

export function listMoved(): Failure {
	return new Failure('The list changed while it was read', WHEN_INCOMPLETE);
}

/** A page in the middle of the list is empty, and no total tells whether records are missing. */
function pageEmpty(page: number, totalPages: number): Failure {
	return new Failure(
		`The service returned no records on page ${page} of ${totalPages}`,
		'The rest of the list cannot be read. Try again; if the page stays empty, ask the service operator.',
	);
}

function listTooLong(): Failure {
	return new Failure(
		`The list exceeds ${figure(MAX_RECORDS)} records`,
		'Narrow the list down with filters, or with Limit where the operation has it. If the list cannot be that long, ask the service operator.',
	);
}
