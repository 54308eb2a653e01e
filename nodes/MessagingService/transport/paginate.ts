import type { IDataObject } from 'n8n-workflow';
import { ListChanging } from './listErrors';
import { ListPass } from './listPass';
import type { ListRequest } from './page';

export { pageQuery, toPage, type ListRequest, type Page } from './page';

/** A list that changed while it was read is read again, this many times in total. */
const MAX_PASSES = 3;

/**
 * Reads a list page by page: every record once, in the order of the service. Pages after the first
 * are fetched several at a time. Records that move to another page while the list is read, because
 * others are added, come once; a record is left out only where key and content are those of another.
 * @throws PageParameterIgnored instead of reading the same page again and again
 * @throws ListIncomplete, PageEmpty where the service's total differs from the number of records
 * @throws ListTooLong instead of filling the memory
 * @throws ListChanging where records may be missing
 */
export async function readList(request: ListRequest): Promise<IDataObject[]> {
	for (let passes = 1; ; passes++) {
		const isLast = passes === MAX_PASSES;
		// One page after the other: additions alone cannot spoil this pass.
		const pass = new ListPass(isLast ? { ...request, pagesAtOnce: 1 } : request);
		await pass.read();
		const records = pass.result();
		if (records !== undefined) return records.slice(0, request.limit);
		if (isLast) throw new ListChanging(passes);
	}
}
