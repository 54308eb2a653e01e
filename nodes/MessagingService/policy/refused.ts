import type { Complaint, Reason } from '../reason';
import { Failure } from '../failure';
import type { PostRequest } from '../transport/request';

const WHO_DECIDES = 'The owner of the credential sets its Sending Policy.';

const failure = (message: string, description: string, reasons: readonly Reason[]) =>
	new Failure(message, description, { reasons });

/** A request whose recipients or time nobody can tell. */
export function refusedUnknown({ path }: PostRequest): Failure {
	const allowed =
		'Allowed: requests whose recipients and time are known, or any request with a credential whose Sending Policy is off.';
	return failure(
		'The Sending Policy does not allow this operation',
		`It cannot be told whom this request reaches or when (POST ${path.slice(0, 60)}). ${allowed} This request was not sent. ${WHO_DECIDES}`,
		[{ code: 'unknownRequest', text: 'cannot be told', advice: allowed }],
	);
}

/** Hours by the clock of the service, in a credential that does not say its time zone. */
export function refusedWithoutZone(): Failure {
	const allowed = 'Allowed: after Service Time Zone is set in the credential.';
	return failure(
		'Sending Policy: Service Time Zone is not set',
		`The Sending Hours of calls, and those in the time zone of the service, need it. Switch on Service Conventions in the credential and set Service Time Zone. Nothing was sent. ${WHO_DECIDES}`,
		[{ code: 'sendingHours', text: 'cannot be checked', advice: allowed }],
	);
}

/** The owner of the credential has stopped all sending. */
export function refusedWhilePaused(): Failure {
	const allowed = 'Allowed: after Pause Sending is switched off in the credential.';
	return failure(
		'Sending is paused by the Sending Policy',
		`${allowed} Nothing was sent. Whoever may edit the credential can switch it off.`,
		[{ code: 'pauseSending', text: 'is not sent to while sending is paused', advice: allowed }],
	);
}

/** A text with more billed SMS parts than allowed. */
export function refusedForParts(max: number, parts: number): Failure {
	const allowed = `Max Message Parts: ${max}.`;
	return failure(
		`Sending Policy: Message has ${parts} SMS parts, and ${max} ${max === 1 ? 'is' : 'are'} allowed`,
		`${allowed} Shorten the text, or replace emoji and letters such as ë, ç and ł, which cut a part from 160 to 70 characters. This request was not sent. ${WHO_DECIDES}`,
		[{ code: 'maxMessageParts', text: 'would get too many SMS parts', advice: allowed }],
	);
}

export function refusedForCount(max: number, reached: number, more: number): Failure {
	const left = max - reached;
	const allowed = `Max Recipients: ${max} for this node in one execution, ${left} of them left.`;
	return failure(
		`The Sending Policy allows ${max} recipient${max === 1 ? '' : 's'} in one execution`,
		`${reached} are counted already, and this would reach ${more} more. ${allowed} Nothing was sent to those. ${WHO_DECIDES}`,
		[{ code: 'maxRecipients', text: 'is one too many', advice: allowed }],
	);
}

/** @param complaints at least one, in the order of the request */
export function refusedRecipients(complaints: readonly Complaint[], total: number): Failure {
	const [first] = complaints as [Complaint];
	const { advice = '', nextAllowedTime } = first;
	const message =
		total === 1
			? `Sending Policy: ${named(first)}`
			: `The Sending Policy refuses ${complaints.length} of ${total} recipients`;
	const which = total === 1 ? '' : `${listText(complaints)} `;
	const next = nextAllowedTime === undefined ? '' : `Next allowed time: ${nextAllowedTime}. `;
	const description = `${which}${advice} This request was not sent. ${next}${WHO_DECIDES}`;
	return failure(message, description, complaints);
}

const MOST_NAMED = 5;

/** The first of several recipients, each with its reason. */
function listText(complaints: readonly Complaint[]): string {
	const first = complaints.slice(0, MOST_NAMED).map(named);
	const more = complaints.length - first.length;
	return `${first.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

const named = ({ phoneNumber, text }: Complaint) => `${String(phoneNumber)} ${text}`;
