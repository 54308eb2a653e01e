import { pageSizeOption } from './lists';
import type { ParameterReader } from '../../parameters/reader';

/**
 * Long lists are read to their end, so in larger pages than where a few records are wanted: each
 * request leaves some memory that Node.js frees late.
 */
const SUMMARY_PAGE_SIZE = 2000;

/** "Page Size" of Get Summary. */
export const summaryPageSize = { ...pageSizeOption, default: SUMMARY_PAGE_SIZE };

export function readSummaryPageSize(parameters: ParameterReader): number {
	return parameters.member('options', summaryPageSize) ?? SUMMARY_PAGE_SIZE;
}
