import type { Progress } from './progress';
import { describeRows } from './progress';

const HOW_TO_CONTINUE =
	'To send only what was not sent, use Retry in the list of executions, or Retry On Fail. A new execution with these items sends all of them again.';

/** For Retry On Fail, Retry in the list of executions, and a new execution. */
const NOTHING_SENT = 'Nothing was sent: any retry is safe.';

/** A retry knows what the first try sent, and of the other retries only what it has asked for. */
const RETRY_SENT_NOTHING =
	'This retry sent nothing, but another one may have: do not start a new execution with all items.';

/** The parent's execution is retried from its node, with a new run of the sub-workflow. */
const HOW_TO_CONTINUE_IN_SUBWORKFLOW =
	'Run only the items that were not sent: a retry of the parent workflow sends all of them again.';

const RETRY_OF_FILES =
	'Retry On Fail and Retry in the list of executions send only what was not sent.';

const RETRY_OF_FILES_IN_SUBWORKFLOW =
	'A retry of the parent workflow sends all rows of the files again.';

/**
 * What the error that stops the node says about the rows; empty where none was sent, unless the
 * operation is one that reaches people.
 * @param isRetryable whether n8n continues with what was not sent when the execution is retried: not
 *   in a sub-workflow
 * @param isRetry whether other retries of the execution may have sent something
 * @param readsFiles whether each item has a file, whose rows have reports of their own
 */
export function reportOfStop(
	progress: Progress,
	{ isRetryable = true, reachesPeople = true, isRetry = false, readsFiles = false } = {},
): string {
	const rows = progress.rows();
	if (rows.notSent.length === progress.total) {
		if (!reachesPeople) return '';
		return isRetry ? RETRY_SENT_NOTHING : NOTHING_SENT;
	}
	if (readsFiles) {
		const ofRetry = isRetryable ? RETRY_OF_FILES : RETRY_OF_FILES_IN_SUBWORKFLOW;
		const items = progress.total > 1 ? describeRows(rows, isRetry) : '';
		return [items, reachesPeople ? ofRetry : ''].filter(Boolean).join(' ');
	}
	const isAllTried = rows.notSent.length + rows.partlySent.length === 0;
	const advice = isRetryable ? HOW_TO_CONTINUE : HOW_TO_CONTINUE_IN_SUBWORKFLOW;
	const described = describeRows(rows, isRetry);
	return isAllTried ? described : `${described} ${advice}`;
}
