import upperFirst from 'lodash/upperFirst';
import type { IDataObject } from 'n8n-workflow';
import { present } from '../json';
import { InputError } from '../parameters/inputError';
import { listItems } from '../parameters/ranges';
import { clauseOf, isComplaint, type Complaint, type Reason } from '../reason';
import { RecipientsRefused } from '../recipients/refused';
import { failureOf } from '../transport/errors';
import { RetryRefused } from './retryOnce';
import type { Result, RowFailure, Rows, Sent } from './rows';
import type { Started } from './start';

/** Recipients that an output item lists one by one. */
export const MOST_LISTED = 1000;

const MAY_BE_SENT =
	'This item may have been sent by this or another try of the execution: check in the service before you send it again.';

/** A result that is a failure. */
export type FailedResult = Result & { failure: RowFailure };

/** What an error means for the rows that it concerns. */
export function failureFor(cause: unknown, sentByIt: Sent, isEarlier = false): FailedResult {
	const sent = cause instanceof RetryRefused ? 'possibly' : sentByIt;
	const known = failureOf(cause);
	const { message, description } =
		cause instanceof Error
			? (cause as Error & { description?: unknown })
			: { message: String(cause) };
	const advice = known?.description ?? (typeof description === 'string' ? description : '');
	const status = Number(known?.httpCode);
	const isExplained = sent !== 'possibly' || known?.sent === 'possibly';
	return {
		sent,
		failure: {
			cause,
			message: known?.message ?? message,
			description: isExplained ? advice : [advice, MAY_BE_SENT].filter(Boolean).join(' '),
			httpStatus: Number.isInteger(status) ? status : undefined,
			field: cause instanceof InputError ? cause.field : known?.field,
			fields: refusalFields(known?.reasons),
			isEarlier,
		},
	};
}

/** A failure of this run, which stops it unless failures become items. */
export function failed(run: Started, cause: unknown, sent: Sent): FailedResult {
	run.isStopped ||= !run.failuresAreItems;
	return failureFor(cause, sent);
}

/**
 * Notes an error that concerns several recipients: those because of which nothing was sent have a
 * reason of their own, the others name them.
 * @param itemIndexes the recipients of the request, in their order
 */
export function failRecipients(
	rows: Rows,
	itemIndexes: readonly number[],
	{ sent, failure }: FailedResult,
): void {
	const own = sent === 'no' ? ownFailures(failure, itemIndexes) : new Map<number, RowFailure>();
	for (const [row, ownFailure] of own) rows.set([row], { sent, failure: ownFailure });
	const others = itemIndexes.filter((row) => !own.has(row));
	if (own.size === 0) rows.set(others, { sent, failure });
	else {
		const message = `Not sent because of ${listItems([...own.keys()])}`;
		const fields = present({ policyRule: failureOf(failure.cause)?.reasons?.[0]?.code });
		rows.set(others, { sent, failure: { ...failure, message, fields } });
	}
}

/** The rows because of which a request was not sent, each with its own reason. */
function ownFailures(
	{ cause }: RowFailure,
	itemIndexes: readonly number[],
): Map<number, RowFailure> {
	if (cause instanceof RecipientsRefused && (itemIndexes.length > 1 || cause.areSkipped)) {
		const ofOne = cause.areSkipped ? leftOut : ofComplaint;
		return new Map(
			cause.complaints.map((each) => [each.place, { ...ofOne(each), cause }] as const),
		);
	}
	const reasons = itemIndexes.length > 1 ? (failureOf(cause)?.reasons ?? []) : [];
	return new Map(
		reasons
			.filter(isComplaint)
			.map((each) => [itemIndexes[each.place] ?? each.place, { ...ofRefused(each), cause }]),
	);
}

function ofComplaint(complaint: Complaint) {
	const { code, advice = 'Fix the row, then send it again.' } = complaint;
	const description =
		code === 'duplicate'
			? 'An earlier row includes this recipient: this row can be left out.'
			: `Nothing was sent to this recipient. ${advice}`;
	return { message: upperFirst(clauseOf(complaint)), description, fields: {} };
}

/** The failure of a row whose recipient is left out: not one that stops the node. */
export function leftOut(complaint: Complaint, sent: Sent = 'no'): RowFailure {
	const { nextAllowedTime } = complaint;
	return {
		...ofComplaint(complaint),
		...(sent === 'possibly' && { description: MAY_BE_SENT }),
		cause: undefined,
		fields: present({ skipped: true, nextAllowedTime }),
	};
}

function ofRefused({ phoneNumber, code, text, advice, nextAllowedTime }: Complaint) {
	return {
		message: `Sending Policy: ${String(phoneNumber)} ${text}`,
		description: `${advice} Nothing was sent to this recipient.`,
		fields: present({ phoneNumber, policyRule: code, allowed: advice, nextAllowedTime }),
	};
}

/** What expressions and agents can act on: the rule, what is allowed, and when. */
function refusalFields(reasons: readonly Reason[] = []): IDataObject {
	const [first] = reasons;
	if (first === undefined) return {};
	const complaints = reasons.filter(isComplaint);
	const isList = complaints.length > 1;
	const times = complaints.flatMap(({ nextAllowedTime }) => nextAllowedTime ?? []).sort();
	return present({
		policyRule: first.code,
		allowed: first.advice,
		nextAllowedTime: times.length < complaints.length ? undefined : times.at(-1),
		phoneNumber: isList ? undefined : complaints[0]?.phoneNumber,
		refusedCount: isList ? complaints.length : undefined,
		refused: isList ? complaints.slice(0, MOST_LISTED).map(listed) : undefined,
	});
}

function listed({ phoneNumber, code, text, nextAllowedTime }: Complaint): IDataObject {
	return present({ phoneNumber, policyRule: code, reason: text, nextAllowedTime });
}
