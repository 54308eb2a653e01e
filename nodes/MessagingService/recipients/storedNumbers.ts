import { firstStoragePage, storagePage, type ListRequest } from '../transport/page';
import type { ReadClient } from '../transport/request';

/** The texts that are stored with a number (interface, "Stored phone number item"). */
export const PARAMETER_NAMES = Array.from({ length: 9 }, (_, index) => `parameter${index + 1}`);

/** The list of the stored phone numbers (interface, "Phone number storage"). */
export async function storedNumberList(client: ReadClient, pageSize: number): Promise<ListRequest> {
	const firstPageIndex = await firstStoragePage(client, pageSize);
	return {
		firstPageIndex,
		keyOf: ({ storageID }) => storageID,
		fetchPage: async (index = firstPageIndex) => await storagePage(client, pageSize, index),
	};
}
