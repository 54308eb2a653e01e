import { memoize, omit, pick, upperFirst } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
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
import { messageColumns } from '../resources/shared/outcomes';
import { firstSentence, sentenceOf, shorten } from '../texts';
import type { Outcome, Rows } from './rows';

/** What a row came to, if it is one of several recipients of which a failure may be only some. */
interface OwnOutcome extends Outcome {
	/** Why nothing was sent to it. */
	refused?: Complaint | undefined;
	/** Which other rows are why nothing was sent to it. */
	because?: string;
}

/** What a row came to, of what it shares with other rows. */
export function ownOutcome(outcome: Outcome, row: number): OwnOutcome {
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

/** The item of a row that failed or was left out: its columns, why, and what is known of it. */
export function errorItem(
	outcome: OwnOutcome,
	row: number,
	run: { rows: Rows; operation: Operation | undefined },
): INodeExecutionData {
	const { sent, binary } = outcome;
	const columns = columnsOf(outcome, row, run);
	const { error, description, ...others } = explain(outcome, run.operation);
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

/** The first columns of a row that is not sent, if its operation reaches people. */
function columnsOf(
	outcome: OwnOutcome,
	row: number,
	{ rows, operation }: { rows: Rows; operation: Operation | undefined },
): IDataObject {
	if (operation === undefined || !reachesPeople(operation)) return {};
	const { sent } = outcome;
	const phoneNumber = rows.phoneNumberOf(row);
	const reason = shorten(rowReason(outcome, phoneNumber), MAX_DESCRIPTION_CHARACTERS);
	if (!sendsMessages(operation)) return { phoneNumber, sent, reason };
	const { message, price = {} } = rows.messageOf(row) ?? {};
	const isFree = sent === 'no';
	const columns = messageColumns(price, { phoneNumber, message, sent, reason, isFree });
	const text = columns.message;
	return typeof text === 'string'
		? { ...columns, message: shorten(text, MAX_DESCRIPTION_CHARACTERS) }
		: columns;
}

function rowReason(outcome: OwnOutcome, phoneNumber: string | undefined): string {
	const { sent, failure, refused, complaint, because, inPart } = outcome;
	if (complaint !== undefined) return leftOutReason(complaint);
	if (refused !== undefined) return refusalReason(refused);
	if (because !== undefined) return because;
	if (failure === undefined) return 'Not sent';
	if (inPart?.isClear === true) return `Sent in part: ${sentenceOf(failure.message)}`;
	return failureReason(failure, sent, phoneNumber);
}

const MAY_BE_SENT =
	'This item may have been sent by this or another try of the execution: check in the service before you send it again.';
const MAY_BE_DONE = 'This item may have been done by this or another try of the execution.';

/** Why the row of an outcome is not sent. */
function explain(outcome: OwnOutcome, operation: Operation | undefined): IDataObject {
	const { sent, failure, refused, complaint, because, errorFields, inPart } = outcome;
	if (complaint !== undefined) return explainLeftOut(complaint);
	if (refused !== undefined) {
		return isAboutRow(refused.code) ? explainRow(refused) : explainRefusal(refused);
	}
	if (failure === undefined) return {};
	const { httpCode, field, sent: known } = failure.facts;
	const isSending = operation === undefined || reachesPeople(operation);
	const mayBe = isSending ? MAY_BE_SENT : MAY_BE_DONE;
	const isSaid = sent !== 'possibly' || known === 'possibly' || inPart !== undefined;
	const status = Number(httpCode);
	const details = detailsOf(failure);
	return {
		error: because ?? failure.message,
		description: [failure.description, inPart?.text, isSaid ? '' : mayBe].filter(Boolean).join(' '),
		httpStatus: Number.isInteger(status) ? status : undefined,
		field,
		...errorFields,
		...(because === undefined ? details : pick(details, 'policyRule')),
	};
}

function explainRow(complaint: Complaint): IDataObject {
	const { code, advice } = complaint;
	// The recipient is that of an earlier row.
	const description =
		code === 'duplicate' ? advice : `Nothing was sent to this recipient. ${advice}`;
	return { error: upperFirst(clauseOf(complaint)), description };
}

function explainLeftOut(complaint: Complaint): IDataObject {
	const { nextAllowedTime } = complaint;
	return { ...explainRow(complaint), skipped: true, nextAllowedTime };
}

function explainRefusal(complaint: Complaint): IDataObject {
	const { phoneNumber, text, advice } = complaint;
	return {
		error: `Sending Policy: ${String(phoneNumber)} ${text}`,
		description: `${advice} Nothing was sent to this recipient.`,
		...omit(listedRefusal(complaint), 'reason'),
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

function listedRefusal({
	phoneNumber,
	code,
	text,
	advice,
	nextAllowedTime,
}: Complaint): IDataObject {
	return present({ phoneNumber, policyRule: code, reason: text, allowed: advice, nextAllowedTime });
}

/** A sentence without the number of its row: that stands beside it, and as a long word makes a column wide. */
const withoutNumber = (text: string, number: unknown) =>
	sentenceOf(text.replace(` (${String(number)})`, ''));

export function leftOutReason(complaint: Complaint): string {
	return `Left out: ${withoutNumber(clauseOf(complaint), complaint.phoneNumber)}`;
}

/** Of one recipient: by its own values, or by the sending policy. A column is narrow: one sentence of advice. */
function refusalReason(complaint: Complaint): string {
	const { code, advice, phoneNumber } = complaint;
	const word = isAboutRow(code) ? 'Not sent' : 'Refused';
	return `${word}: ${withoutNumber(clauseOf(complaint), phoneNumber)} ${firstSentence(advice)}`;
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
