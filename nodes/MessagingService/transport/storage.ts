import isEqual from 'lodash/isEqual';
import { failureOf } from './errors';
import { toPage, type Page } from './page';
import type { ReadClient, ReadRequest } from './request';

const PATH = '/api/PhoneNumberStorageItem';

/** A GET of the storage, whose path the interface shows with a doubled slash. */
export function storageRequest(rest: string): ReadRequest {
	return { method: 'GET', path: `${PATH}${rest}`, otherPath: `/${PATH}${rest}` };
}

/** One page of the stored phone numbers (interface, "Phone number storage"). */
export async function storagePage(
	client: Pick<ReadClient, 'page'>,
	pageSize: number,
	index: number,
): Promise<Page> {
	return toPage(await client.page(storageRequest(`/${pageSize}/${index}`)));
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
		if (failureOf(error)?.httpCode !== undefined) return { items: [] };
		throw error;
	});
	if (items.length === 0) return 1;
	const next = await storagePage(client, pageSize, 1);
	return isEqual(next.items, items) ? 1 : 0;
}
