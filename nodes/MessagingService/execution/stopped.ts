import type { Progress } from './progress';
import { describeRows } from './progress';

const HOW_TO_CONTINUE =
	'To send only what was not sent, use Retry in the list of executions. A new execution with these items sends all of them again.';

/** The parent's execution is retried from its node, with a new run of the sub-workflow. */
const HOW_TO_CONTINUE_IN_SUBWORKFLOW =
	'Run only the items that were not sent: a retry of the parent workflow sends all of them again.';

/**
 * What the error that stops the node says about the rows, where any was sent or may have been;
 * empty otherwise.
 * @param isRetryable whether n8n continues with what was not sent when the execution is retried: not
 *   in a sub-workflow
 */
export function reportOfStop(progress: Progress, isRetryable = true): string {
	const rows = progress.rows();
	if (rows.notSent.length === progress.total) return '';
	const isAllTried = rows.notSent.length + rows.partlySent.length === 0;
	return isAllTried
		? describeRows(rows)
		: [describeRows(rows), isRetryable ? HOW_TO_CONTINUE : HOW_TO_CONTINUE_IN_SUBWORKFLOW].join(
				' ',
			);
}
