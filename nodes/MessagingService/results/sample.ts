import type { IDataObject } from 'n8n-workflow';
import type { PollRequest } from './poll';
import { pollService } from './poll';

/** Results of a manual test. */
const SAMPLE_SIZE = 5;

/** How long a manual test reads: somebody is waiting for it. */
const SAMPLE_MS = 10_000;

/**
 * The latest results in scope, for a manual test in the editor. Reads as much as it can in a few
 * seconds, the newest campaigns first, and remembers nothing.
 * @throws what kept it from reading anything
 */
export async function sampleResults(request: Omit<PollRequest, 'state'>): Promise<IDataObject[]> {
	const { settings } = request;
	const { items, failures } = await pollService({
		...request,
		state: undefined,
		settings: {
			...settings,
			// From the beginning of time: nothing belongs to a baseline.
			startFrom: settings.startFrom ?? 0,
			maxItems: Infinity,
			budgetMs: SAMPLE_MS,
			baselineBudgetMs: SAMPLE_MS,
		},
		isSample: true,
	});
	if (items.length === 0 && failures.length > 0) throw failures[0];
	return items.slice(-SAMPLE_SIZE);
}
