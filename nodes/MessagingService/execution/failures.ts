import upperFirst from 'lodash/upperFirst';
import type { IDataObject } from 'n8n-workflow';
import type { Refusal, RefusalFailure, RefusedRecipient, Violation } from '../policy/violation';
import type { Complaint } from '../recipients/checks';
import { RecipientsRefused } from '../recipients/plan';
import { InputError } from '../parameters/inputError';
import { listItems } from '../parameters/ranges';
import { failureOf } from '../transport/errors';
import type { Result, RowFailure, Rows, Sent } from './rows';

/** Recipients that are listed one by one. */
const MOST_LISTED = 1000;

const MAY_BE_SENT =
	'This item may have been sent by this or another try of the execution: check in the service before you send it again.';

/** A result that is a failure. */
export type FailedResult = Result & { failure: RowFailure };

/** What an error means for the rows that it concerns. */
export function failed(cause: unknown, sent: Sent, isEarlier = false): FailedResult {
	const known = failureOf(cause);
	const { message, description } =
		cause instanceof Error
			? (cause as Error & { description?: unknown })
			: { message: String(cause) };
	const advice = known?.description ?? (typeof description === 'string' ? description : '');
	const field = cause instanceof InputError ? cause.field : known?.field;
	const status = Number(known?.httpCode);
	const isExplained = sent !== 'possibly' || known?.sent === 'possibly';
	return {
		sent,
		failure: {
			cause,
			message: known?.message ?? message,
			description: isExplained ? advice : [advice, MAY_BE_SENT].filter(Boolean).join(' '),
			...(Number.isInteger(status) ? { httpStatus: status } : {}),
			...(field === undefined ? {} : { field }),
			fields: refusalFields(refusalOf(cause)),
			isEarlier,
		},
	};
}

/** What the sending policy refused, where an error comes from it. */
function refusalOf(cause: unknown): Refusal | undefined {
	return (failureOf(cause) as RefusalFailure | undefined)?.refusal;
}

/**
 * Notes an error that concerns several rows: those because of which nothing was sent have a reason
 * of their own, the others name them.
 * @param areRecipients each row is one recipient of the request, in their order
 */
export function failRows(
	rows: Rows,
	itemIndexes: readonly number[],
	{ sent, failure }: FailedResult,
	areRecipients: boolean,
): void {
	const own = areRecipients
		? ownFailures(failure, itemIndexes, sent)
		: new Map<number, RowFailure>();
	if (own.size === 0) {
		rows.set(itemIndexes, { sent, failure });
		return;
	}
	const others = notSentWith(failure, [...own.keys()], sent);
	for (const row of itemIndexes) rows.set([row], { sent, failure: own.get(row) ?? others });
}

/** The rows because of which a request was not sent, each with its own reason. */
function ownFailures(
	general: RowFailure,
	itemIndexes: readonly number[],
	sent: Sent,
): Map<number, RowFailure> {
	const { cause } = general;
	if (cause instanceof RecipientsRefused && (itemIndexes.length > 1 || cause.areSkipped)) {
		return new Map(
			cause.complaints.map((complaint) => [
				complaint.itemIndex,
				{ ...(cause.areSkipped ? leftOut : ofComplaint)(complaint, sent), cause },
			]),
		);
	}
	const recipients = itemIndexes.length > 1 ? (refusalOf(cause)?.recipients ?? []) : [];
	return new Map(
		recipients.map((each) => [
			itemIndexes[each.position] ?? each.position,
			{ ...ofRefused(each), cause },
		]),
	);
}

/** A row that is not sent because of others. */
function notSentWith(general: RowFailure, others: readonly number[], sent: Sent): RowFailure {
	const { rule } = refusalOf(general.cause) ?? {};
	const because = listItems(others);
	return {
		...general,
		...(sent === 'no'
			? { message: `Not sent because of ${because}` }
			: {
					message: 'Possibly sent by another try',
					description: `This try sent nothing because of ${because}. ${MAY_BE_SENT}`,
				}),
		fields: rule === undefined ? {} : { policyRule: rule },
	};
}

function ofComplaint(
	{ code, reason, advice = 'Fix the row, then send it again.' }: Complaint,
	sent: Sent,
) {
	const description =
		sent !== 'no'
			? MAY_BE_SENT
			: code === 'duplicate'
				? 'This row was skipped, because an earlier row includes the recipient. There is nothing to fix.'
				: `Nothing was sent to this recipient. ${advice}`;
	return { message: upperFirst(reason), description, fields: {}, isEarlier: false };
}

/** The failure of a row whose recipient is left out: not one that stops the node. */
export function leftOut(complaint: Complaint, sent: Sent = 'no'): RowFailure {
	const { nextAllowedTime } = complaint;
	return {
		...ofComplaint(complaint, sent),
		cause: undefined,
		fields: { skipped: true, ...(nextAllowedTime === undefined ? {} : { nextAllowedTime }) },
	};
}

function ofRefused(refused: RefusedRecipient): Omit<RowFailure, 'cause'> {
	const { phoneNumber, reason, allowed } = refused;
	return {
		message: `Sending Policy: ${phoneNumber} ${reason}`,
		description: `${allowed} Nothing was sent to this recipient.`,
		fields: { phoneNumber, ...violationFields(refused) },
		isEarlier: false,
	};
}

/** What expressions and agents can act on: the rule, what is allowed, and when. */
function refusalFields(refusal: Refusal | undefined): IDataObject {
	if (refusal === undefined) return {};
	const { recipients } = refusal;
	const [first] = recipients;
	return {
		...violationFields(refusal),
		...(recipients.length === 1 ? { phoneNumber: first?.phoneNumber } : {}),
		...(recipients.length > 1
			? { refusedCount: recipients.length, refused: recipients.slice(0, MOST_LISTED).map(listed) }
			: {}),
	};
}

function violationFields({
	rule,
	allowed,
	nextAllowedTime,
}: Omit<Violation, 'reason'>): IDataObject {
	return {
		policyRule: rule,
		allowed,
		...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
	};
}

function listed({ phoneNumber, rule, reason, nextAllowedTime }: RefusedRecipient): IDataObject {
	return {
		phoneNumber,
		policyRule: rule,
		reason,
		...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
	};
}
