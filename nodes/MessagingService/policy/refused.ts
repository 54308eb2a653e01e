import { Failure } from '../failure';
import { timeForAll, type Complaint, type Reason, type ReasonCode } from '../reason';
import { MINUTE_MS } from '../times';
import type { PostRequest } from '../transport/request';

export const WHO_DECIDES = 'The owner of the credential sets its Sending Policy.';

/**
 * A request that a rule refuses as a whole.
 * @param title continues "Sending Policy: "
 * @param why what is allowed, and what to do
 */
export function refusedRequest(title: string, why: string, reason: Reason): Failure {
	return new Failure(
		`Sending Policy: ${title}`,
		`${why} This request was not sent. ${WHO_DECIDES}`,
		{ reasons: [reason] },
	);
}

/**
 * A rule needs the clock of the service, and the credential does not say its time zone. That of the
 * workflow would not do: who edits the workflow could move the hours with it.
 * @param need what needs it, as a sentence
 */
export function refusedWithoutZone(code: ReasonCode, need: string): Failure {
	return refusedRequest(
		'Service Time Zone is not set, or not known',
		`${need} Switch on Service Conventions in the credential and set Service Time Zone, as a name like Europe/London.`,
		{
			code,
			text: 'cannot be checked',
			advice: 'Allowed: after Service Time Zone is set in the credential.',
		},
	);
}

/** A request whose recipients or time nobody can tell. */
export function refusedUnknown({ path }: PostRequest): Failure {
	const allowed =
		'Allowed: requests whose recipients and time are known, or any request with a credential whose Sending Policy is off.';
	return new Failure(
		'The Sending Policy does not allow this operation',
		`It cannot be told whom this request reaches or when (POST ${path.slice(0, 60)}). ${allowed} This request was not sent. ${WHO_DECIDES}`,
		{ reasons: [{ code: 'unknownRequest', text: 'cannot be told', advice: allowed }] },
	);
}

/** How old a reading of the service may be when a request goes out. */
export const MAX_AGE_MS = 5 * MINUTE_MS;

/**
 * Why a reading decides nothing any more: the request reads the list again, and waits again.
 * @param reading undefined where nothing was read
 * @param list what was read: "list of messages"
 */
export function refusedAsOld(
	reading: { readAt: number } | undefined,
	list: string,
): Failure | undefined {
	// Also before a clock that was set back.
	if (reading === undefined || Math.abs(Date.now() - reading.readAt) < MAX_AGE_MS) return undefined;
	return new Failure(
		`The ${list} was read more than five minutes ago`,
		'The request waited too long for its turn after each reading of the list, so it was not sent. If the service allows more, raise Requests per Second in the credential.',
		{ retry: { afterMs: 0 } },
	);
}

/** @param complaints at least one, in the order of the request */
export function refusedRecipients(complaints: readonly Complaint[], total: number): Failure {
	const [first] = complaints as [Complaint];
	const { advice } = first;
	const nextAllowedTime = timeForAll(complaints);
	const message =
		total === 1
			? `Sending Policy: ${named(first)}`
			: `The Sending Policy refuses ${complaints.length} of ${total} recipients`;
	const which = total === 1 ? '' : `${listText(complaints)} `;
	const next = nextAllowedTime === undefined ? '' : `Next allowed time: ${nextAllowedTime}. `;
	const description = `${which}${advice} This request was not sent. ${next}${WHO_DECIDES}`;
	return new Failure(message, description, { reasons: complaints });
}

const MOST_NAMED = 5;

/** The first of several recipients, each with its reason. */
function listText(complaints: readonly Complaint[]): string {
	const first = complaints.slice(0, MOST_NAMED).map(named);
	const more = complaints.length - first.length;
	return `${first.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

const named = ({ phoneNumber, text }: Complaint) => `${String(phoneNumber)} ${text}`;
