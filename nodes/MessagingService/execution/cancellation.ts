import type { Progress } from './progress';
import { describeRows } from './progress';

/** The user stopped the execution, or it ran out of time: says which rows were sent by then. */
export class ExecutionCancelled extends Error {
	readonly description: string;

	/**
	 * @param files which rows of files were sent
	 * @param isRetry whether other retries of the execution may have sent something
	 */
	constructor(progress: Progress, files: readonly string[] = [], isRetry = false) {
		const rows = progress.rows();
		const isUntouched = rows.notSent.length === progress.total;
		// n8n tells a cancelled execution from a failed one by this spelling of the word.
		super(
			isUntouched
				? 'The execution was canceled before anything was sent'
				: files.length > 0
					? 'The execution was canceled when a file was partly sent'
					: `The execution was canceled when ${rows.sent.length} of ${progress.total} items were sent`,
		);
		this.name = 'ExecutionCancelled';
		this.description = isUntouched
			? isRetry
				? 'You can retry the execution again.'
				: 'You can run it again.'
			: [
					describeRows(rows, isRetry),
					...files,
					files.length > 0
						? ''
						: isRetry
							? 'To continue, retry the execution again: it sends what no retry has sent.'
							: 'To continue, start a new execution with only the items that were not sent.',
				]
					.filter(Boolean)
					.join(' ');
	}
}
