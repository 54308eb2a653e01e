import type { IDataObject } from 'n8n-workflow';
import { listChanging } from './listErrors';
import { ListPass } from './listPass';
import type { ListRequest } from './page';

export {
	envelopeList,
	numberList,
	pageQuery,
	PAGES_AT_ONCE,
	toPage,
	type ListClient,
	type ListRequest,
	type Page,
} from './page';

/** A list that changed while it was read is read again, this many times in total. */
const MAX_PASSES = 3;

/**
 * Reads a list page by page: every record once, in the order of the service. A list without a total
 * that moves in every pass gives the records of all passes: none of them has to have seen every record.
 * @param keep what is kept of a record, for lists too long to hold; by default the record itself
 * @returns up to the limit; where records give several results, enough records for it
 * @throws ListProblem where records may be missing, or are too many for the memory
 */
export async function readList<Kept = IDataObject>(
	request: ListRequest,
	keep: (record: IDataObject) => Kept = (record) => record as Kept,
): Promise<Kept[]> {
	const earlier = new Map<unknown, Kept>();
	for (let passes = 1; ; passes++) {
		const isLast = passes === MAX_PASSES;
		// One page after the other: additions alone cannot spoil this pass.
		const pass = new ListPass(isLast ? { ...request, pagesAtOnce: 1 } : request, keep);
		await pass.read();
		const records = pass.result(isLast);
		if (records !== undefined) {
			return request.resultsOf === undefined ? records.slice(0, request.limit) : records;
		}
		if (isLast && pass.hasTotal) throw listChanging(passes);
		if (isLast) return pass.with(earlier);
		pass.addTo(earlier);
	}
}
