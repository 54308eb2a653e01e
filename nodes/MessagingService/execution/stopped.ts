import type { Progress } from './progress';
import { describeRows } from './progress';

const HOW_TO_CONTINUE =
	'To send only what was not sent, use Retry in the list of executions. A new execution with these items sends all of them again.';

/**
 * What the error that stops the node says about the rows, where any was sent or may have been;
 * empty otherwise.
 */
export function reportOfStop(progress: Progress): string {
	const rows = progress.rows();
	if (rows.notSent.length === progress.total) return '';
	const isAllTried = rows.notSent.length + rows.partlySent.length === 0;
	return isAllTried ? describeRows(rows) : `${describeRows(rows)} ${HOW_TO_CONTINUE}`;
}
