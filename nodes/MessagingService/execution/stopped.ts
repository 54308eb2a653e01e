import type { Progress } from './progress';
import { describeRows } from './progress';

const HOW_TO_CONTINUE =
	'To send only what was not sent, use Retry in the list of executions, or Retry On Fail. A new execution with these items sends all of them again.';

/** For Retry On Fail, Retry in the list of executions, and a new execution. */
const NOTHING_SENT = 'Nothing was sent: any retry is safe.';

/** The parent's execution is retried from its node, with a new run of the sub-workflow. */
const HOW_TO_CONTINUE_IN_SUBWORKFLOW =
	'Run only the items that were not sent: a retry of the parent workflow sends all of them again.';

/**
 * What the error that stops the node says about the rows; empty where none was sent, unless the
 * operation is one that reaches people.
 * @param isRetryable whether n8n continues with what was not sent when the execution is retried: not
 *   in a sub-workflow
 */
export function reportOfStop(
	progress: Progress,
	{ isRetryable = true, reachesPeople = true } = {},
): string {
	const rows = progress.rows();
	if (rows.notSent.length === progress.total) return reachesPeople ? NOTHING_SENT : '';
	const isAllTried = rows.notSent.length + rows.partlySent.length === 0;
	const advice = isRetryable ? HOW_TO_CONTINUE : HOW_TO_CONTINUE_IN_SUBWORKFLOW;
	return isAllTried ? describeRows(rows) : `${describeRows(rows)} ${advice}`;
}
