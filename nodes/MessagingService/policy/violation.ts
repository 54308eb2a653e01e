import { TYPE_LABELS, type NumberType } from '../numbers/numberTypes';
import type { Failure } from '../transport/errors';
import type { SendingHours } from './sendingHours';

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

export const DAY_NAMES = [
	'Monday',
	'Tuesday',
	'Wednesday',
	'Thursday',
	'Friday',
	'Saturday',
	'Sunday',
];

function timeText(minutes: number): string {
	const two = (number: number) => String(number).padStart(2, '0');
	return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The sending hours in words: "09:00 to 20:00 on Monday, Tuesday". */
export function hoursText({ from, to, days }: SendingHours): string {
	const names = DAY_NAMES.filter((_, index) => days.has(index + 1));
	const onDays = names.length === DAY_NAMES.length ? 'every day' : `on ${names.join(', ')}`;
	return `${timeText(from)} to ${timeText(to)} ${onDays}`;
}

export function countriesText(countries: ReadonlySet<string>): string {
	return `Allowed Countries: ${[...countries].sort().join(', ')}.`;
}

export function typesText(types: ReadonlySet<NumberType>): string {
	return `Blocked Number Types: ${[...types].map((type) => TYPE_LABELS[type]).join(', ')}.`;
}
