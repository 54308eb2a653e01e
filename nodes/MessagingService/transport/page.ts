import type { IDataObject } from 'n8n-workflow';
import type { PageEnvelope } from './request';
import type { ServiceSettings } from './settings';

/** One page of a list as the service returned it (interface, "Paginated envelope"). */
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
	/** Index to ask for first; undefined where the first response tells it. */
	firstPageIndex?: number;
	/** What identifies a record. */
	keyOf(record: IDataObject): unknown;
	/** Number of records wanted; undefined for all. */
	limit?: number;
	/** Maximum number of pages fetched simultaneously after the first. */
	pagesAtOnce: number;
}

/** The query parameters that choose a page; the first one has no index where its response tells it. */
export function pageQuery(
	{ pageIndexParameter, pageSizeParameter }: ServiceSettings,
	pageSize: number,
	pageIndex: number | undefined,
): IDataObject {
	return {
		[pageSizeParameter]: pageSize,
		...(pageIndex === undefined ? {} : { [pageIndexParameter]: pageIndex }),
	};
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
	if (value === null || value === '') return undefined;
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : undefined;
}
