import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { listRanges } from '../parameters/ranges';
import type { RowFailure, Rows } from './rows';

const HOW_TO_CONTINUE =
	'To send only what was not sent, use Retry in the list of executions, or Retry On Fail. A new execution with these items sends all of them again.';

/** Retries continue the count of Max Recipients. */
const HOW_TO_CONTINUE_COUNT =
	'To send only what was not sent, start a new execution with these items alone: a retry is refused as well.';

/** For Retry On Fail, Retry in the list of executions, and a new execution. */
const NOTHING_SENT = 'Nothing was sent: any retry is safe.';

/** The parent's execution is retried from its node, with a new run of the sub-workflow. */
const HOW_TO_CONTINUE_IN_SUBWORKFLOW =
	'Run only the items that were not sent: a retry of the parent workflow sends all of them again.';

const THIS_ROUND = 'This counts only the current round of the loop.';

const RETRY_OF_FILES =
	'Retry On Fail and Retry in the list of executions send only what was not sent.';

const RETRY_OF_FILES_IN_SUBWORKFLOW =
	'A retry of the parent workflow sends all rows of the files again.';

/** The error as n8n shows it when the node stops: with the input item it is about. */
function toNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	const nodeError = new NodeOperationError(context.getNode(), cause, { itemIndex });
	// n8n replaces messages that happen to contain an error code, "preexisting" for example.
	nodeError.message = cause.message;
	return nodeError;
}

/**
 * The error that stops the node: why, and what was sent.
 * @param reachesPeople messages or calls may follow from the operation
 */
export function stopped(
	context: IExecuteFunctions,
	rows: Rows,
	{ failure: { cause, fields }, row }: { failure: RowFailure; row: number },
	reachesPeople: boolean,
) {
	const error = toNodeError(context, cause, row);
	const isCount = fields.policyRule === 'maxRecipients';
	const advice = isCount
		? HOW_TO_CONTINUE_COUNT
		: context.getMode() === 'integrated'
			? HOW_TO_CONTINUE_IN_SUBWORKFLOW
			: HOW_TO_CONTINUE;
	const report = reportOf(rows, advice, reachesPeople);
	const isRound = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0) > 0;
	const round = isRound && report.length > 0 ? THIS_ROUND : '';
	error.description = [error.description, ...report, round].filter(Boolean).join(' ');
	return error;
}

/** What was sent, in words, and how to continue; nothing where the operation sends nothing. */
function reportOf(rows: Rows, advice: string, reachesPeople: boolean): string[] {
	const notSent = rows.that('no');
	if (notSent.length === rows.total) return reachesPeople ? [NOTHING_SENT] : [];
	const files = reportsOfFiles(rows);
	if (files.length > 0) {
		const ofRetry =
			advice === HOW_TO_CONTINUE_IN_SUBWORKFLOW ? RETRY_OF_FILES_IN_SUBWORKFLOW : RETRY_OF_FILES;
		const isOpen = [...rows.each()].some(({ fileReport, failure }) =>
			fileReport === undefined ? false : failure?.isEarlier !== true,
		);
		return [
			...files,
			rows.total > 1 ? describeRows(rows) : '',
			isOpen || notSent.length > 0 ? ofRetry : '',
		];
	}
	return [describeRows(rows), notSent.length === 0 ? '' : advice];
}

/** The rows in words: "Sent: items 0 to 3 (4 in total). Not sent: item 4." */
function describeRows(rows: Rows): string {
	const line = (label: string, found: readonly number[], advice = '') => {
		if (found.length === 0) return '';
		const names =
			found.length === 1
				? `item ${String(found[0])}`
				: `items ${listRanges(found)} (${found.length} in total)`;
		return `${label}: ${names}.${advice}`;
	};
	const check = ' Check in the service before you send them again.';
	return [
		line('Sent', rows.that('yes')),
		line('Possibly sent', rows.that('possibly'), check),
		line('Not sent', rows.that('no')),
	]
		.filter(Boolean)
		.join(' ');
}

/** Which rows of files were sent, in words: of each that was not sent as a whole. */
function reportsOfFiles(rows: Rows): string[] {
	return [...rows.each()].flatMap(({ fileReport, rows: [row = 0] }) => {
		if (fileReport === undefined) return [];
		return [rows.total === 1 ? fileReport : `Item ${row}: ${fileReport}`];
	});
}

/** The user stopped the execution, or it ran out of time: says which rows were sent by then. */
export function canceled(context: IExecuteFunctions, rows: Rows) {
	const error = new NodeOperationError(context.getNode(), titleOfCanceled(rows), { itemIndex: 0 });
	const files = reportsOfFiles(rows);
	error.description =
		rows.that('no').length === rows.total
			? 'You can run it again.'
			: [
					describeRows(rows),
					...files,
					files.length > 0
						? ''
						: 'To continue, start a new execution with only the items that were not sent.',
				]
					.filter(Boolean)
					.join(' ');
	// n8n does not keep the data of a cancelled execution, so the log says it as well.
	context.logger.warn(`${error.message}. ${error.description}`);
	return error;
}

/** n8n tells a cancelled execution from a failed one by this spelling of the word. */
function titleOfCanceled(rows: Rows): string {
	if (rows.that('no').length === rows.total) {
		return 'The execution was canceled before anything was sent';
	}
	return reportsOfFiles(rows).length > 0
		? 'The execution was canceled when a file was partly sent'
		: `The execution was canceled when ${rows.that('yes').length} of ${rows.total} items were sent`;
}
