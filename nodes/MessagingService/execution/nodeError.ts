import { difference, map, uniqBy } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toNodeError, type Failure } from '../failure';
import { listRanges, numbersInWords } from '../parameters/ranges';
import type { Reason } from '../reason';
import { NOT_ACCEPTED } from '../transport/errors';
import { sentInWords, type Outcome, type Rows } from './rows';

/** What an operation does to its items, in words: one that reaches nobody stores a number, for example. */
const SENDING = { send: 'send', sends: 'sends', sent: 'sent' } as const;
const CHANGING = { send: 'do', sends: 'does', sent: 'done' } as const;
type Words = typeof SENDING | typeof CHANGING;

/** @param reachesPeople messages or calls may follow from the operation */
const wordsOf = (reachesPeople: boolean): Words => (reachesPeople ? SENDING : CHANGING);

/** A rule refuses the same item each time. */
const STILL_REFUSED = 'Until this is fixed, a retry is refused as well.';
const HOW_TO_CONTINUE_REFUSED =
	'To send the others, set On Error of this node to continue, then use Retry in the list of executions: as it is, a retry stops at this item again.';

/** Retries continue the count of Max Recipients. */
const HOW_TO_CONTINUE_COUNT =
	'To send only what was not sent, start a new execution with these items alone: a retry is refused as well.';

/** The parent's execution is retried from its node, with a new run of the sub-workflow. */
const againByParent = ({ sends }: Words) =>
	`retry of the parent workflow ${sends} all of them again.`;
const howToContinueInSubWorkflow = (words: Words) =>
	`Run only the items that were not ${words.sent}: a ${againByParent(words)}`;

/** Other runs of the node may have sent others: in a loop, or a sub-workflow. */
const nothingSent = ({ sent }: Words) => `Nothing was ${sent} by this run of the node.`;

/** Some rows are invalid, and the others wait for them. */
const HOW_TO_SEND_OTHERS = 'To send the other rows, set On Error of this node to continue.';

/** Rows that need different advice. */
const HOW_TO_FIX_EACH = 'Dry Run says how to fix each.';

/** The error that stops the node: why, and what was sent. */
export function stoppedError(
	context: IExecuteFunctions,
	rows: Rows,
	outcome: Outcome & { failure: Failure },
	reachesPeople: boolean,
) {
	const [row = 0] = outcome.rows;
	const invalid = invalidRows(rows);
	const isRowOfItsOwn = rows.outcomeOf(row)?.rows.length === 1;
	const error = toNodeError(context.getNode(), outcome.failure);
	if (invalid.length > 1) nameInvalid(error, invalid, rows, reachesPeople);
	else if (isRowOfItsOwn) error.context.itemIndex ??= row;
	const isUntouched = rows.inState('no').length === rows.total;
	if (!reachesPeople && isUntouched) return error;
	const words = wordsOf(reachesPeople);
	const hasOthers = isRowOfItsOwn && invalid.length > 0 && invalid.length < rows.total;
	const report = isUntouched
		? [
				nothingSent(words),
				hasOthers ? HOW_TO_SEND_OTHERS : '',
				isSubWorkflow(context) ? howToContinueInSubWorkflow(words) : '',
			]
		: [whatWasSent(rows, words), howToContinue(context, rows, outcome, words)];
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
	const found = [...rows.outcomes()].flatMap(({ failure, rows: [row = 0] }) =>
		failure?.isInput === true
			? [{ row, failure, message: failure.message, fix: failure.description }]
			: [],
	);
	// What is wrong with a whole list is said once.
	return uniqBy(found, 'failure');
}

/** Lets the error of the first of several invalid rows speak of all of them. */
function nameInvalid(
	error: ReturnType<typeof toNodeError>,
	invalid: ReturnType<typeof invalidRows>,
	rows: Rows,
	reachesPeople: boolean,
): void {
	const isSame = uniqBy(invalid, 'message').length === 1;
	const hasOneFix = !reachesPeople || uniqBy(invalid, 'fix').length === 1;
	const fix = hasOneFix ? String(error.description ?? '') : HOW_TO_FIX_EACH;
	if (!isSame) error.message = `${invalid.length} of ${rows.total} rows cannot be sent`;
	error.description = isSame
		? `${fix} ${placesOf(invalid, rows)}`.trim()
		: `${namedRows(invalid)} ${fix}`;
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
function howToContinue(
	context: IExecuteFunctions,
	rows: Rows,
	{ failure: { facts }, rows: failed }: Outcome & { failure: Failure },
	words: Words,
): string {
	const inPart = sentInPart(rows);
	const notSent = rows.inState('no');
	if (notSent.length === 0 && !inPart.some(({ isOpen }) => isOpen)) {
		return isSubWorkflow(context) ? `A ${againByParent(words)}` : '';
	}
	if (facts.reasons?.[0]?.code === 'maxRecipients') return HOW_TO_CONTINUE_COUNT;
	if (isSubWorkflow(context)) return howToContinueInSubWorkflow(words);
	if (facts.reasons?.some(isLasting) === true) {
		return difference(notSent, failed).length > 0 ? HOW_TO_CONTINUE_REFUSED : STILL_REFUSED;
	}
	const { send, sends, sent } = words;
	const retry = `To ${send} only what was not ${sent}, use Retry in the list of executions.`;
	if (inPart.length > 0) return retry;
	return `${retry} A new execution with these items ${sends} all of them again.`;
}

/** Whether the same item is refused later as well, with the same policy. */
const isLasting = ({ code, nextAllowedTime }: Reason) =>
	nextAllowedTime === undefined && code !== 'pauseSending';

const isSubWorkflow = (context: IExecuteFunctions) => context.getMode() === 'integrated';

/** What was sent, in words: of files and lists that were sent in part, how far they came. */
function whatWasSent(rows: Rows, { sent }: Words): string {
	const inPart = sentInPart(rows);
	const [first] = inPart;
	if (rows.total === 1 && first !== undefined) return first.text;
	const items = {
		yes: itemsInWords(rows.inState('yes')),
		possibly: itemsInWords(difference(rows.inState('possibly'), map(inPart, 'row'))),
		no: itemsInWords(rows.inState('no')),
	};
	const ofItems = sentInWords(items, sent);
	return [...inPart.map(({ row, text }) => `Item ${row}: ${text}`), ofItems].join(' ');
}

/** The files and lists that were sent in part, with their input items. */
function sentInPart(rows: Rows) {
	return [...rows.outcomes()].flatMap(({ inPart, rows: [row = 0] }) =>
		inPart === undefined || inPart.text === '' ? [] : [{ row, ...inPart }],
	);
}

function itemsInWords(items: readonly number[]): string {
	const all = numbersInWords('item', 'items', listRanges(items));
	return items.length < 2 ? all : `${all} (${items.length} in total)`;
}

/** The user stopped the execution, or it ran out of time: says which rows were sent by then. */
export function canceledError(context: IExecuteFunctions, rows: Rows, reachesPeople: boolean) {
	// n8n tells a cancelled execution from a failed one by this spelling of the word.
	const title = 'The execution was canceled';
	const error = new NodeOperationError(context.getNode(), title, { itemIndex: 0 });
	const words = wordsOf(reachesPeople);
	error.description =
		rows.inState('no').length === rows.total
			? nothingSent(words)
			: `${whatWasSent(rows, words)} To continue, start a new execution with only what was not ${words.sent}.`;
	// n8n does not keep the data of a cancelled execution, so the log says it as well.
	context.logger.warn(`${title} (${context.getExecutionId()}). ${error.description}`);
	return error;
}
