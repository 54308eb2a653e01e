import type { Failure, Sent } from '../failure';
import { clauseOf, isAboutRow, isComplaint, type Complaint } from '../reason';
import { sentenceOf } from '../texts';

/** Why a row is not sent, in the words of all outputs: left out, refused, not sent, possibly sent. */

/** A sentence without the number of its row: that stands beside it, and as a long word makes a column wide. */
const withoutNumber = (text: string, number: unknown) =>
	sentenceOf(text.replace(` (${String(number)})`, ''));

export function leftOutReason(complaint: Complaint): string {
	return `Left out: ${withoutNumber(clauseOf(complaint), complaint.phoneNumber)}`;
}

/** Of one recipient: by its own values, or by the sending policy. */
export function refusalReason(complaint: Complaint): string {
	const { code, advice = '', phoneNumber } = complaint;
	const word = isAboutRow(code) ? 'Not sent' : 'Refused';
	return `${word}: ${withoutNumber(clauseOf(complaint), phoneNumber)} ${advice}`.trim();
}

/** Of what has failed, for a row with this phone number. */
export function failureReason(failure: Failure, sent: Sent, phoneNumber?: unknown): string {
	if (sent === 'possibly') return `Possibly sent: ${sentenceOf(failure.message)}`;
	const { reasons = [] } = failure.facts;
	const [complaint] = reasons.filter(isComplaint);
	if (complaint !== undefined && reasons.length === 1) return refusalReason(complaint);
	const isPolicy = reasons.some(({ code }) => !isAboutRow(code));
	const text = withoutNumber(failure.message.replace(/^Sending Policy: /, ''), phoneNumber);
	const isToFix = isPolicy || failure.isInput;
	const advice = isToFix ? (reasons[0]?.advice ?? failure.description) : '';
	return `${isPolicy ? 'Refused' : 'Not sent'}: ${text} ${advice}`.trim();
}
