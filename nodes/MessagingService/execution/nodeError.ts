import { difference, map, uniqBy } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toNodeError, type Failure } from '../failure';
import { listRanges, numbersInWords } from '../parameters/ranges';
import type { Reason } from '../reason';
import { NOT_ACCEPTED } from '../transport/errors';
import { sentInWords, type Outcome, type Rows } from './rows';

const HOW_TO_CONTINUE = 'To send only what was not sent, use Retry in the list of executions.';

const NEW_EXECUTION = ' A new execution with these items sends all of them again.';

/** Of an operation that reaches nobody. */
const HOW_TO_CONTINUE_CHANGES =
	'To do only what was not done, use Retry in the list of executions. A new execution with these items does all of them again.';

/** A rule refuses the same item each time. */
const STILL_REFUSED = 'Until this is fixed, a retry is refused as well.';
const HOW_TO_CONTINUE_REFUSED =
	'To send the others, set On Error of this node to continue, then use Retry in the list of executions: as it is, a retry stops at this item again.';

/** Retries continue the count of Max Recipients. */
const HOW_TO_CONTINUE_COUNT =
	'To send only what was not sent, start a new execution with these items alone: a retry is refused as well.';

/** The parent's execution is retried from its node, with a new run of the sub-workflow. */
const AGAIN_BY_PARENT = 'A retry of the parent workflow sends all of them again.';
const HOW_TO_CONTINUE_IN_SUBWORKFLOW =
	'Run only the items that were not sent: a retry of the parent workflow sends all of them again.';
const HOW_TO_CONTINUE_CHANGES_IN_SUBWORKFLOW =
	'Run only the items that were not done: a retry of the parent workflow does all of them again.';

/** Other runs of the node may have sent others: in a loop, or a sub-workflow. */
const NOTHING_SENT = 'Nothing was sent by this run of the node.';

/** Some rows are invalid, and the others wait for them. */
const HOW_TO_SEND_OTHERS = 'To send the other rows, set On Error of this node to continue.';

/** Rows that need different advice. */
const HOW_TO_FIX_EACH = 'Dry Run says how to fix each.';

/**
 * The error that stops the node: why, and what was sent.
 * @param reachesPeople messages or calls may follow from the operation
 */
export function stopped(
	context: IExecuteFunctions,
	rows: Rows,
	outcome: Outcome & { failure: Failure },
	reachesPeople: boolean,
) {
	const { failure } = outcome;
	const [row = 0] = outcome.rows;
	const invalid = invalidRows(rows);
	const isRowOfItsOwn = rows.of(row)?.rows.length === 1;
	const isOfOne = invalid.length < 2 && isRowOfItsOwn;
	const error = toNodeError(context.getNode(), failure);
	if (isOfOne) error.context.itemIndex ??= row;
	if (invalid.length > 1) {
		const isSame = uniqBy(invalid, 'message').length === 1;
		if (!isSame) error.message = `${invalid.length} of ${rows.total} rows cannot be sent`;
		const hasOneFix = !reachesPeople || uniqBy(invalid, 'fix').length === 1;
		const fix = hasOneFix ? String(error.description ?? '') : HOW_TO_FIX_EACH;
		error.description = isSame
			? `${fix} ${placesOf(invalid, rows)}`.trim()
			: `${namedRows(invalid)} ${fix}`;
	}
	const isUntouched = rows.that('no').length === rows.total;
	const hasOthers = isRowOfItsOwn && invalid.length > 0 && invalid.length < rows.total;
	const report = isUntouched
		? [
				NOTHING_SENT,
				hasOthers ? HOW_TO_SEND_OTHERS : '',
				isSubWorkflow(context) ? HOW_TO_CONTINUE_IN_SUBWORKFLOW : '',
			]
		: reachesPeople
			? [whatWasSent(rows), adviceFor(context, rows, outcome)]
			: [whatWasDone(rows), adviceForChanges(context, rows)];
	if (!reachesPeople && isUntouched) return error;
	// The report says of all rows what was sent.
	const said = String(error.description ?? '')
		.replace(' Nothing was sent.', '')
		.replace(isUntouched ? ` ${NOT_ACCEPTED}` : '', '');
	error.description = [said, ...report].filter(Boolean).join(' ');
	return error;
}

const MOST_NAMED = 5;

/** The rows with invalid input of their own, which is found before anything is sent. */
function invalidRows(rows: Rows): { row: number; message: string; fix: string }[] {
	const found = [...rows.each()].flatMap(({ failure, rows: [row = 0] }) =>
		failure?.isInput === true
			? [{ row, failure, message: failure.message, fix: failure.description }]
			: [],
	);
	// What is wrong with a whole list is said once.
	return uniqBy(found, 'failure');
}

/** Rows of which the title says what is wrong: "In all 5 rows." */
function placesOf(invalid: readonly { row: number }[], { total }: Rows): string {
	return invalid.length === total
		? `In all ${total} rows.`
		: `In ${invalid.length} of ${total} rows: items ${listRanges(invalid.map(({ row }) => row))} (from 0).`;
}

/** The first of several rows, each with what is wrong: "Item 1 (from 0): Phone Number is empty." */
function namedRows(invalid: readonly { row: number; message: string }[]): string {
	const [first, ...others] = invalid
		.slice(0, MOST_NAMED)
		.map(({ row, message }) => [row, message] as const);
	const more = invalid.length - MOST_NAMED;
	return [
		first === undefined ? '' : `Item ${first[0]} (from 0): ${first[1]}.`,
		...others.map(([row, message]) => `Item ${row}: ${message}.`),
		...(more > 0 ? [`And ${more} more.`] : []),
	].join(' ');
}

/** How to send what was not sent; empty where there is nothing. */
function adviceFor(
	context: IExecuteFunctions,
	rows: Rows,
	{ failure: { facts }, rows: failed }: Outcome & { failure: Failure },
): string {
	const inPart = sentInPart(rows);
	const notSent = rows.that('no');
	if (notSent.length === 0 && !inPart.some(({ isOpen }) => isOpen)) {
		return isSubWorkflow(context) ? AGAIN_BY_PARENT : '';
	}
	if (facts.reasons?.[0]?.code === 'maxRecipients') return HOW_TO_CONTINUE_COUNT;
	if (isSubWorkflow(context)) return HOW_TO_CONTINUE_IN_SUBWORKFLOW;
	if (facts.reasons?.some(isLasting) === true) {
		return difference(notSent, failed).length > 0 ? HOW_TO_CONTINUE_REFUSED : STILL_REFUSED;
	}
	return inPart.length > 0 ? HOW_TO_CONTINUE : `${HOW_TO_CONTINUE}${NEW_EXECUTION}`;
}

/** Whether the same item is refused later as well, with the same policy. */
const isLasting = ({ code, nextAllowedTime }: Reason) =>
	nextAllowedTime === undefined && code !== 'pauseSending';

const isSubWorkflow = (context: IExecuteFunctions) => context.getMode() === 'integrated';

/** What was sent, in words: of files and lists that were sent in part, how far they came. */
function whatWasSent(rows: Rows): string {
	const inPart = sentInPart(rows);
	const [first] = inPart;
	if (rows.total === 1 && first !== undefined) return first.text;
	const ofItems = sentInWords({
		yes: itemsInWords(rows.that('yes')),
		possibly: itemsInWords(difference(rows.that('possibly'), map(inPart, 'row'))),
		no: itemsInWords(rows.that('no')),
	});
	return [...inPart.map(({ row, text }) => `Item ${row}: ${text}`), ofItems].join(' ');
}

/** The files and lists that were sent in part, with their input items. */
function sentInPart(rows: Rows) {
	return [...rows.each()].flatMap(({ inPart, rows: [row = 0] }) =>
		inPart === undefined || inPart.text === '' ? [] : [{ row, ...inPart }],
	);
}

/** The same of an operation that reaches nobody: it stores a number, for example. */
function whatWasDone(rows: Rows): string {
	const states = [
		['Done', 'yes'],
		['Possibly done', 'possibly'],
		['Not done', 'no'],
	] as const;
	return states
		.flatMap(([word, state]) => {
			const items = rows.that(state);
			return items.length === 0 ? [] : [`${word}: ${itemsInWords(items)}.`];
		})
		.join(' ');
}

function adviceForChanges(context: IExecuteFunctions, rows: Rows): string {
	if (rows.that('no').length === 0) return '';
	return isSubWorkflow(context) ? HOW_TO_CONTINUE_CHANGES_IN_SUBWORKFLOW : HOW_TO_CONTINUE_CHANGES;
}

function itemsInWords(items: readonly number[]): string {
	const all = numbersInWords('item', 'items', listRanges(items));
	return items.length < 2 ? all : `${all} (${items.length} in total)`;
}

/** The user stopped the execution, or it ran out of time: says which rows were sent by then. */
export function cancellation(context: IExecuteFunctions, rows: Rows, reachesPeople: boolean) {
	// n8n tells a cancelled execution from a failed one by this spelling of the word.
	const title = 'The execution was canceled';
	const error = new NodeOperationError(context.getNode(), title, { itemIndex: 0 });
	const [what, word] = reachesPeople ? [whatWasSent(rows), 'sent'] : [whatWasDone(rows), 'done'];
	error.description =
		rows.that('no').length === rows.total
			? NOTHING_SENT
			: `${what} To continue, start a new execution with only what was not ${word}.`;
	// n8n does not keep the data of a cancelled execution, so the log says it as well.
	context.logger.warn(`${title} (${context.getExecutionId()}). ${error.description}`);
	return error;
}
