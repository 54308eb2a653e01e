import { difference, keys, memoize, omit, pick, upperFirst } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	MAX_DESCRIPTION_CHARACTERS,
	MAX_TITLE_CHARACTERS,
	type Failure,
	type Sent,
} from '../failure';
import { present } from '../json';
import { listItems } from '../parameters/ranges';
import {
	clauseOf,
	isAboutRow,
	isComplaint,
	MOST_LISTED,
	timeForAll,
	type Complaint,
} from '../reason';
import { reachesPeople, sendsMessages, type Operation } from '../resources/operation';
import { includesInput } from '../resources/shared/fields';
import { messageColumns } from '../resources/shared/outcomes';
import { ERROR_FIELDS, OUTPUT_FIELDS } from '../returns/errorItem';
import { firstSentence, sentenceOf, shorten } from '../texts';
import type { Outcome, Rows } from './rows';
import type { Run } from './start';
import { Turns } from '../transport/concurrency';

const MOST_PAIRED = 1000;

/** The output items: every row leaves by exactly one branch, exactly once, in the order of the rows. */
export async function itemsOf(
	context: IExecuteFunctions,
	rows: Rows,
	{ operation, kind }: Partial<Run>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const inputs = context.getInputData();
	const isInputIncluded =
		operation !== undefined && sendsMessages(operation) && includesInput(node.parameters.options);
	const itemsOfRow = (row: number): INodeExecutionData[] => {
		const shared = rows.of(row);
		const outcome = shared && kind === 'allItems' ? ownOutcome(shared, row) : shared;
		const input = inputs[row]?.json ?? {};
		const completed = (items: INodeExecutionData[]) =>
			isInputIncluded ? items.map((item) => withInput(item, input)) : items;
		if (outcome?.failure === undefined && outcome?.complaint === undefined) {
			return outcome?.rows[0] === row ? completed(successItems(outcome)) : [];
		}
		const columns = columnsOf(outcome, row, { rows, operation });
		const item = errorItem(outcome, row, columns);
		return node.onError === 'continueErrorOutput'
			? [toErrorOutput(item, columns, input)]
			: completed([item]);
	};
	const items: INodeExecutionData[] = [];
	const turns = new Turns();
	for (const row of rows.all) {
		for (const item of itemsOfRow(row)) items.push(item);
		await turns.give();
	}
	return items;
}

/**
 * An error item for the error output, where n8n adds the fields of the input by itself: those of an
 * earlier error must not come back.
 */
function toErrorOutput(
	item: INodeExecutionData,
	columns: IDataObject,
	input: IDataObject,
): INodeExecutionData {
	const earlier = ERROR_FIELDS.filter(
		(name) => name !== 'phoneNumber' && Object.hasOwn(input, name),
	);
	// What is not known of a row is not written over its own column.
	const unknown = columns.phoneNumber === '' ? pick(input, 'phoneNumber') : {};
	const own = omit(item.json, keys(unknown));
	// An item of an earlier output says what is true of it now, or nothing.
	const isOutput = Object.hasOwn(input, 'sent') && hasAny(input, ['error', 'reason']);
	if (isOutput) return forErrorBranch({ ...item, json: own }, earlier);
	return forErrorBranch({ ...item, json: omit(own, difference(earlier, ['error', 'sent'])) }, []);
}

/** What a row came to, if it is one of several recipients of which a failure may be only some. */
interface OwnOutcome extends Outcome {
	/** Why nothing was sent to it. */
	refused?: Complaint | undefined;
	/** Which other rows are why nothing was sent to it. */
	because?: string;
}

function ownOutcome(outcome: Outcome, row: number): OwnOutcome {
	const { failure, sent } = outcome;
	if (failure === undefined || sent !== 'no') return outcome;
	const refused = refusedRows(failure);
	if (refused.all.size === 0) return outcome;
	const own = refused.all.get(row);
	return own === undefined
		? { ...outcome, because: refused.because }
		: { ...outcome, refused: own };
}

/** One failure may be that of 100,000 rows. */
function oncePerFailure<Value>(make: (failure: Failure) => Value): (failure: Failure) => Value {
	return Object.assign(memoize(make), { cache: new WeakMap<Failure, Value>() });
}

/** The rows because of which nothing was sent. */
const refusedRows = oncePerFailure(({ facts: { reasons = [] } }) => {
	const all = new Map(reasons.filter(isComplaint).map((each) => [each.place, each]));
	return { all, because: `Not sent because of ${listItems([...all.keys()])}` };
});

/** An item with the fields of its row behind its own, but for what an earlier output said of the row. */
function withInput(item: INodeExecutionData, input: IDataObject): INodeExecutionData {
	return { ...item, json: { ...item.json, ...omit(input, keys(item.json), OUTPUT_FIELDS) } };
}

function successItems({ records = [], rows, binary }: Outcome): INodeExecutionData[] {
	const pairedItem = pairedWith(rows);
	return records.map((json, index) => ({
		json,
		pairedItem,
		...(index === 0 && binary !== undefined ? { binary } : {}),
	}));
}

/**
 * The input items that an output item stands for. Of very many, the first: n8n keeps the list with
 * the execution, and no expression can tell one of thousands from the others anyway.
 */
function pairedWith(rows: readonly number[]): INodeExecutionData['pairedItem'] {
	const [first = 0] = rows;
	if (rows.length === 1) return { item: first };
	return rows.slice(0, MOST_PAIRED).map((item) => ({ item }));
}

const hasAny = (item: IDataObject, names: readonly string[]) =>
	names.some((name) => Object.hasOwn(item, name));

/** The first columns of a row that is not sent, if its operation reaches people. */
function columnsOf(
	outcome: OwnOutcome,
	row: number,
	{ rows, operation }: { rows: Rows; operation: Operation | undefined },
): IDataObject {
	if (operation === undefined || !reachesPeople(operation)) return {};
	const { sent } = outcome;
	const phoneNumber = rows.phoneNumberOf(row);
	const reason = shorten(reasonOf(outcome, phoneNumber), MAX_DESCRIPTION_CHARACTERS);
	if (!sendsMessages(operation)) return { phoneNumber, sent, reason };
	const { message, price = {} } = rows.messageOf(row) ?? {};
	const isFree = sent === 'no';
	const columns = messageColumns(price, { phoneNumber, message, sent, reason, isFree });
	const text = columns.message;
	return typeof text === 'string'
		? { ...columns, message: shorten(text, MAX_DESCRIPTION_CHARACTERS) }
		: columns;
}

function reasonOf(outcome: OwnOutcome, phoneNumber: string | undefined): string {
	const { sent, failure, refused, complaint, because, inPart } = outcome;
	if (complaint !== undefined) return leftOutReason(complaint);
	if (refused !== undefined) return refusalReason(refused);
	if (because !== undefined) return because;
	if (failure === undefined) return 'Not sent';
	if (inPart?.isClear === true) return `Sent in part: ${sentenceOf(failure.message)}`;
	return failureReason(failure, sent, phoneNumber);
}

function errorItem(outcome: OwnOutcome, row: number, columns: IDataObject): INodeExecutionData {
	const { sent, binary } = outcome;
	const { error, description, ...others } = explain(outcome);
	const json = present({
		...columns,
		error: shorten(String(error), MAX_TITLE_CHARACTERS),
		description: shorten(String(description), MAX_DESCRIPTION_CHARACTERS),
		...pick(others, ['httpStatus', 'field']),
		sent,
		...others,
	});
	return { json, pairedItem: { item: row }, ...(binary === undefined ? {} : { binary }) };
}

const MAY_BE_SENT =
	'This item may have been sent by this or another try of the execution: check in the service before you send it again.';

/** Why the row of an outcome is not sent. */
function explain(outcome: OwnOutcome): IDataObject {
	const { sent, failure, refused, complaint, because, about, inPart } = outcome;
	if (complaint !== undefined) return explainLeftOut(complaint);
	if (refused !== undefined) {
		return isAboutRow(refused.code) ? explainRow(refused) : explainRefusal(refused);
	}
	if (failure === undefined) return {};
	const { httpCode, field, sent: known } = failure.facts;
	const isSaid = sent !== 'possibly' || known === 'possibly' || inPart !== undefined;
	const status = Number(httpCode);
	const details = detailsOf(failure);
	return {
		error: because ?? failure.message,
		description: [failure.description, isSaid ? '' : MAY_BE_SENT].filter(Boolean).join(' '),
		httpStatus: Number.isInteger(status) ? status : undefined,
		field,
		...about,
		...(because === undefined ? details : pick(details, 'policyRule')),
	};
}

function explainRow(complaint: Complaint): IDataObject {
	const { code, advice = 'Fix the row, then send it again.' } = complaint;
	const description =
		code === 'duplicate'
			? 'An earlier row includes this recipient: this row can be left out.'
			: `Nothing was sent to this recipient. ${advice}`;
	return { error: upperFirst(clauseOf(complaint)), description };
}

function explainLeftOut(complaint: Complaint): IDataObject {
	const { nextAllowedTime } = complaint;
	return { ...explainRow(complaint), skipped: true, nextAllowedTime };
}

function explainRefusal({
	phoneNumber,
	code,
	text,
	advice,
	nextAllowedTime,
}: Complaint): IDataObject {
	return {
		error: `Sending Policy: ${String(phoneNumber)} ${text}`,
		description: `${advice} Nothing was sent to this recipient.`,
		phoneNumber,
		policyRule: code,
		allowed: advice,
		nextAllowedTime,
	};
}

/** What expressions and agents can act on: the rule, what is allowed, and when. */
const detailsOf = oncePerFailure(({ facts: { reasons = [], isLeftOut = false } }): IDataObject => {
	if (isLeftOut) return present({ skipped: true, nextAllowedTime: timeForAll(reasons) });
	const [first] = reasons;
	if (first === undefined || isAboutRow(first.code)) return {};
	const complaints = reasons.filter(isComplaint);
	const isList = complaints.length > 1;
	return present({
		policyRule: first.code,
		allowed: first.advice,
		nextAllowedTime: timeForAll(complaints),
		phoneNumber: isList ? undefined : complaints[0]?.phoneNumber,
		refusedCount: isList ? complaints.length : undefined,
		refused: isList ? complaints.slice(0, MOST_LISTED).map(listedRefusal) : undefined,
	});
});

function listedRefusal({ phoneNumber, code, text, nextAllowedTime }: Complaint): IDataObject {
	return present({ phoneNumber, policyRule: code, reason: text, nextAllowedTime });
}

/**
 * An error item for n8n's error branch, with all its fields. n8n sends items with `error` to the
 * branch, then replaces the fields of each item that still has it by the message, and adds the
 * fields of the input item. It copies the item in between: a property that is not copied takes the
 * item to the branch.
 * @param untrue names of fields that the input item has from an earlier error, to be emptied
 */
function forErrorBranch(item: INodeExecutionData, untrue: readonly string[]): INodeExecutionData {
	const emptied: IDataObject = Object.fromEntries(untrue.map((name) => [name, undefined]));
	const error = { message: item.json.error };
	return Object.defineProperty({ ...item, json: { ...emptied, ...item.json } }, 'error', {
		value: error,
		enumerable: false,
	});
}

/** A sentence without the number of its row: that stands beside it, and as a long word makes a column wide. */
const withoutNumber = (text: string, number: unknown) =>
	sentenceOf(text.replace(` (${String(number)})`, ''));

export function leftOutReason(complaint: Complaint): string {
	return `Left out: ${withoutNumber(clauseOf(complaint), complaint.phoneNumber)}`;
}

/** Of one recipient: by its own values, or by the sending policy. A column is narrow: one sentence of advice. */
function refusalReason(complaint: Complaint): string {
	const { code, advice = '', phoneNumber } = complaint;
	const word = isAboutRow(code) ? 'Not sent' : 'Refused';
	return `${word}: ${withoutNumber(clauseOf(complaint), phoneNumber)} ${firstSentence(advice)}`.trim();
}

/** Of what has failed, for a row with this phone number. */
export function failureReason(failure: Failure, sent: Sent, phoneNumber?: unknown): string {
	if (sent === 'possibly') return `Possibly sent: ${sentenceOf(failure.message)}`;
	const { isLeftOut = false, reasons = [] } = failure.facts;
	if (isLeftOut) return `Left out: ${firstSentence(failure.description)}`;
	const [complaint] = reasons.filter(isComplaint);
	if (complaint !== undefined && reasons.length === 1) return refusalReason(complaint);
	const isPolicy = reasons.some(({ code }) => !isAboutRow(code));
	const text = withoutNumber(failure.message.replace(/^Sending Policy: /, ''), phoneNumber);
	const isToFix = isPolicy || failure.isInput;
	const advice = isToFix ? (reasons[0]?.advice ?? failure.description) : '';
	return `${isPolicy ? 'Refused' : 'Not sent'}: ${text} ${firstSentence(advice)}`.trim();
}
