import type { IDataObject } from 'n8n-workflow';
import type { ListRequest } from '../transport/page';
import { readList } from '../transport/paginate';
import type { ReadClient } from '../transport/request';
import { firstStoragePage, storagePage } from '../transport/storage';

/** The texts that are stored with a number (interface, "Stored phone number item"). */
export const PARAMETER_NAMES = Array.from({ length: 9 }, (_, index) => `parameter${index + 1}`);

/**
 * Reads stored phone numbers, all pages of them (interface, "Phone number storage").
 * @param limit number of records wanted; undefined for all
 * @param read reads the list page by page
 */
export async function readStoredNumbers(
	client: ReadClient,
	limit: number | undefined,
	pageSize: number,
	read: (request: ListRequest) => Promise<IDataObject[]> = readList,
): Promise<IDataObject[]> {
	const firstPageIndex = await firstStoragePage(client, pageSize);
	return await read({
		...(limit === undefined ? {} : { limit }),
		firstPageIndex,
		keyOf: ({ storageID }) => storageID,
		fetchPage: async (index = firstPageIndex) => await storagePage(client, pageSize, index),
	});
}
