import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';

/** The rules of the policy, by the names of the credential's fields. */
export type Rule =
	| 'onlyTheseNumbers'
	| 'allowedCountries'
	| 'blockedNumberTypes'
	| 'maxRecipients'
	| 'sendingHours'
	| 'unknownRequest';

/** Why the policy refuses a recipient, or a request as a whole. */
export interface Violation {
	rule: Rule;
	/** What is wrong, continuing "the phone number ...". */
	reason: string;
	/** What would be allowed, as a sentence. */
	allowed: string;
	/** When the recipient may be reached next: ISO 8601 in UTC. */
	nextAllowedTime?: string;
}

/** A recipient that the policy refuses. */
export interface RefusedRecipient extends Violation {
	/** Position in the list of the request. */
	position: number;
	phoneNumber: string;
}

/** What the policy refused of a request; nothing of it was sent. */
export interface Refusal extends Omit<Violation, 'reason'> {
	/** Those because of which it was refused; empty where the request as a whole was. */
	recipients: readonly RefusedRecipient[];
}

/** The failure of a request that the policy refuses. */
export interface RefusalFailure extends Failure {
	refusal?: Refusal;
}

const WHO_DECIDES = 'The owner of the credential sets its Sending Policy.';

const failure = (message: string, description: string, refusal: Refusal): RefusalFailure => ({
	message,
	description,
	sent: 'no',
	refusal,
});

/** A request whose recipients or time nobody can tell. */
export function refusedUnknown({ path }: ServiceRequest): RefusalFailure {
	const allowed =
		'Allowed: requests whose recipients and time are known, or any request with a credential whose Sending Policy is off.';
	return failure(
		'The Sending Policy does not allow this operation',
		`It cannot be told whom this request reaches or when (POST ${path.slice(0, 60)}). ${allowed} This request was not sent. ${WHO_DECIDES}`,
		{ rule: 'unknownRequest', allowed, recipients: [] },
	);
}

/** Hours by the clock of the service, in a credential that does not say its time zone. */
export function refusedWithoutZone(): RefusalFailure {
	const allowed = 'Allowed: after Service Time Zone is set in the credential.';
	return failure(
		'Sending Policy: Service Time Zone is not set',
		`The Sending Hours of calls, and those in the time zone of the service, need it. Switch on Service Conventions in the credential and set Service Time Zone. Nothing was sent. ${WHO_DECIDES}`,
		{ rule: 'sendingHours', allowed, recipients: [] },
	);
}

export function refusedForCount(max: number, reached: number, more: number): RefusalFailure {
	const left = max - reached;
	const allowed = `Max Recipients: ${max} for this node in one execution, ${left} of them left.`;
	return failure(
		`The Sending Policy allows ${max} recipient${max === 1 ? '' : 's'} in one execution`,
		`${reached} are counted already, and this would reach ${more} more. ${allowed} Nothing was sent to those. ${WHO_DECIDES}`,
		{ rule: 'maxRecipients', allowed, recipients: [] },
	);
}

/** @param recipients at least one, in the order of the request */
export function refusedRecipients(
	recipients: readonly RefusedRecipient[],
	total: number,
): RefusalFailure {
	const [first] = recipients as [RefusedRecipient];
	const next = recipients
		.flatMap(({ nextAllowedTime }) => nextAllowedTime ?? [])
		.sort()
		.at(-1);
	const isEach = recipients.every(({ nextAllowedTime }) => nextAllowedTime !== undefined);
	const message =
		total === 1
			? `Sending Policy: ${first.phoneNumber} ${first.reason}`
			: `The Sending Policy refuses ${recipients.length} of ${total} recipients`;
	const firstText = total === 1 ? '' : `${listText(recipients)} `;
	return failure(
		message,
		`${firstText}${first.allowed} This request was not sent. ${nextText(first)}${WHO_DECIDES}`,
		{
			rule: first.rule,
			allowed: first.allowed,
			...(isEach && next !== undefined ? { nextAllowedTime: next } : {}),
			recipients,
		},
	);
}

function nextText({ nextAllowedTime }: RefusedRecipient): string {
	return nextAllowedTime === undefined ? '' : `Next allowed time: ${nextAllowedTime}. `;
}

const MOST_NAMED = 5;

/** The first of several recipients, each with its reason. */
function listText(recipients: readonly RefusedRecipient[]): string {
	const named = recipients.slice(0, MOST_NAMED).map((each) => `${each.phoneNumber} ${each.reason}`);
	const more = recipients.length - named.length;
	return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}
