import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import type { Page, ReadClient, ReadRequest } from './request';

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
	/** Number of results wanted; undefined for all. */
	limit?: number;
	/** How many results a record gives, towards the limit; one by default. */
	resultsOf?(record: IDataObject): number;
}

/** Records per page of the lists that nodes and triggers read: Service: Check tries such pages. */
export const PAGE_SIZE = 1000;

/** "Default page number" of the interface's section "Limits". */
export const FIRST_PAGE_NUMBER = 1;

/**
 * A list in the paginated envelope, whose paging travels in the query.
 * @param query filters and sorting
 */
export function envelopeList(
	client: ReadClient,
	path: string,
	pageSize: number,
	query: IDataObject = {},
): ListRequest {
	const { pageIndexParameter, pageSizeParameter } = client.settings;
	return {
		keyOf: ({ id }) => id,
		async fetchPage(index) {
			const chosen = index === undefined ? {} : { [pageIndexParameter]: index };
			const paging = { [pageSizeParameter]: pageSize, ...chosen };
			return await client.page({ method: 'GET', path, query: { ...query, ...paging } });
		},
	};
}

/** The SMS messages of the account (interface, "SMS messages"). @param query filters */
export function messageList(
	client: ReadClient,
	pageSize: number,
	query?: IDataObject,
): ListRequest {
	return envelopeList(client, '/api/SMSMessages', pageSize, query);
}

/**
 * The phone numbers of a voice campaign (interface, "Voice campaigns"): arrays without a total, so
 * that only an empty page tells the end.
 * @param path that of the campaign
 */
export function numberList(client: ReadClient, path: string, pageSize: number): ListRequest {
	return {
		firstPageIndex: FIRST_PAGE_NUMBER,
		keyOf: ({ id }) => id,
		fetchPage: async (page = FIRST_PAGE_NUMBER) => ({
			items: await client.records({
				method: 'GET',
				path: `${path}/phonenumbers/${pageSize}/${page}`,
			}),
		}),
	};
}

const STORAGE_PATH = '/api/PhoneNumberStorageItem';

/** A GET of the storage, whose path the interface shows with a doubled slash. */
export function storageRequest(rest: string): ReadRequest {
	return { method: 'GET', path: `${STORAGE_PATH}${rest}`, otherPath: `/${STORAGE_PATH}${rest}` };
}

/** One page of the stored phone numbers (interface, "Phone number storage"). */
export async function storagePage(
	client: Pick<ReadClient, 'page'>,
	pageSize: number,
	index: number,
): Promise<Page> {
	return await client.page(storageRequest(`/${pageSize}/${index}`));
}

/**
 * The index of the first page, 0 or 1. The path carries it, so no response can tell it beforehand:
 * it is 0 where page 0 has records that are not those of page 1.
 */
export async function firstStoragePage(
	client: Pick<ReadClient, 'page'>,
	pageSize: number,
): Promise<number> {
	const { items } = await storagePage(client, pageSize, 0).catch((error: unknown): Page => {
		// The service refuses an index that it does not have.
		if (Failure.of(error).facts.httpCode !== undefined) return { items: [] };
		throw error;
	});
	if (items.length === 0) return 1;
	const next = await storagePage(client, pageSize, 1);
	return isEqual(next.items, items) ? 1 : 0;
}

/** The list of the stored phone numbers (interface, "Phone number storage"). */
export async function storageList(client: ReadClient, pageSize: number): Promise<ListRequest> {
	const firstPageIndex = await firstStoragePage(client, pageSize);
	return {
		firstPageIndex,
		keyOf: ({ storageID }) => storageID,
		fetchPage: async (index = firstPageIndex) => await storagePage(client, pageSize, index),
	};
}
