import type { IDataObject } from 'n8n-workflow';
import { present } from './json';

/** Something is wrong with the row: with its phone number, or another field. One for each remedy. */
const ROW_CODES = [
	'blank',
	'empty',
	'notOneNumber',
	'lostDigits',
	'invalid',
	'ambiguous',
	'type',
	'field',
	'duplicate',
] as const;

export type ReasonCode =
	| (typeof ROW_CODES)[number]
	// The rules of the sending policy, by the names of the credential's fields.
	| 'onlyTheseNumbers'
	| 'allowedCountries'
	| 'blockedNumberTypes'
	| 'maxRecipients'
	| 'maxMessageParts'
	| 'allowedSenders'
	| 'doNotContact'
	| 'hoursBetweenTexts'
	| 'pauseSending'
	| 'sendingHours'
	| 'allowWebhookChanges'
	/** It cannot be told whom the request reaches, or when. */
	| 'unknownRequest';

/** Whether a row must be changed, not the policy or the time. */
export const isAboutRow = (code: ReasonCode) => ROW_CODES.some((each) => each === code);

/** What is wrong, or looks wrong: for people. */
export interface Remark {
	/** A clause, or the end of one that begins with the name of what it is about. */
	text: string;
	/** One sentence: how to fix it, or what is allowed. */
	advice: string;
}

/** Why something is not sent, or not allowed: for people, and for expressions. */
export interface Reason extends Remark {
	code: ReasonCode;
	/** A clause that continues "the phone number ..."; of another field, one that names it. */
	text: string;
	/** ISO 8601 in UTC. */
	nextAllowedTime?: string;
}

/** A reason with its place and phone number. */
export interface Complaint extends Reason {
	/**
	 * Index of the input item, or position in the list that was given; of a file, the line. The policy
	 * counts through the requests that it was asked about.
	 */
	place: number;
	phoneNumber: IDataObject[string];
}

/** Complaints that an output lists one by one. */
export const MOST_LISTED = 1000;

export const isComplaint = (reason: Reason): reason is Complaint => 'place' in reason;

/** When all of them may be reached; undefined where one of them has no such time. */
export function timeForAll(reasons: readonly Reason[]): string | undefined {
	// Where there is no time, it is sorted last.
	const times = reasons.map(({ nextAllowedTime }) => nextAllowedTime);
	return times.sort().at(-1);
}

/** Why a phone number, as it would be sent, is not reached; undefined where it may be. */
export type Screen = (number: unknown) => Reason | undefined;

/** Starts a screen for one pass through a list: it may depend on those that came before. */
export type StartScreen = () => Screen;

/** A row with nothing in it is nobody. */
export const BLANK_ROW: Reason = {
	code: 'blank',
	text: 'the row is blank',
	advice: 'It names nobody: there is nothing to fix.',
};

/** The text of a reason as a whole clause. */
export function clauseOf({ code, text }: Reason): string {
	if (code === 'blank') return text;
	if (code === 'empty') return 'this row has no phone number';
	return code === 'field' ? text : `the phone number ${text}`;
}

/** A complaint as outputs list it. @param where the fields that say where its row is */
export function listed(complaint: Complaint, where: IDataObject): IDataObject {
	const { phoneNumber, advice, nextAllowedTime } = complaint;
	return present({ ...where, phoneNumber, reason: clauseOf(complaint), advice, nextAllowedTime });
}
