import type { IDataObject } from 'n8n-workflow';
import type { Reason } from '../numbers/cell';
import type { Policy, RecipientOptions } from './fields';
import type { RecipientKind } from './kind';
import { readRecipientNumber, type RecipientNumber } from './number';
import type { Candidates } from './sources';

/** A recipient that something is wrong with. */
export interface Complaint {
	/** Position of the input item, or in the list that the node was given. */
	itemIndex: number;
	phoneNumber: IDataObject[string];
	reason: string;
	/** The same for the same kind of problem; `field` is any but the phone number. */
	code: Reason | 'field' | 'duplicate' | 'doNotContact' | 'sendingHours';
	/** How to fix it, where there is more to say than the reason. */
	advice?: string;
	/** When the recipient may be reached next, ISO 8601 in UTC. */
	nextAllowedTime?: string;
}

/** All candidates of a call, checked. */
export interface CheckedRecipients {
	/** Those to send to, as the request has them, and where each came from. */
	recipients: unknown[];
	places: number[];
	invalid: Complaint[];
	/** Those whose number an earlier one has. */
	duplicates: Complaint[];
	/** Those of both that are left out. */
	skipped: Complaint[];
	/** Those of both because of which the user wants nothing to be sent, in input order. */
	stopping: Complaint[];
}

/** Checks all candidates, before anything is sent to any of them. */
export function checkRecipients(
	kind: RecipientKind<unknown>,
	candidates: Candidates,
	itemIndexes: readonly number[],
	policies: Pick<RecipientOptions, 'invalid' | 'duplicate' | 'numbers'>,
): CheckedRecipients {
	const checked: CheckedRecipients = {
		recipients: [],
		places: [],
		invalid: [],
		duplicates: [],
		skipped: [],
		stopping: [],
	};
	const seen = new Map<string, number>();
	let problem: string | undefined;
	const report = (otherProblem: string) => {
		problem ??= otherProblem;
	};
	/** Whether a recipient that something is wrong with is sent to nevertheless. */
	const isSent = (policy: Policy, list: Complaint[], complaint: Complaint) => {
		list.push(complaint);
		if (policy === 'skip') checked.skipped.push(complaint);
		if (policy === 'stop') checked.stopping.push(complaint);
		return policy === 'send';
	};
	for (let position = 0; position < candidates.count; position++) {
		const candidate = candidates.at(position);
		const place = candidates.isItems ? (itemIndexes[position] ?? position) : position;
		const phoneNumber = candidate[kind.numberName];
		const reading = readRecipientNumber(phoneNumber, policies.numbers);
		problem = reading.problem === undefined ? undefined : `the phone number ${reading.problem}`;
		const recipient = kind.build(reading.number, candidate, report);
		const about = { itemIndex: place, phoneNumber };
		if (problem !== undefined) {
			const complaint = { ...about, ...complaintOf(reading), reason: problem };
			if (!isSent(policies.invalid, checked.invalid, complaint)) continue;
		}
		if (reading.key !== undefined) {
			const first = seen.get(reading.key);
			if (first === undefined) seen.set(reading.key, place);
			else {
				const name = `${candidates.noun} ${first + (candidates.isItems ? 0 : 1)}`;
				const reason = `the phone number is a duplicate of ${name}`;
				const complaint: Complaint = { ...about, reason, code: 'duplicate' };
				if (!isSent(policies.duplicate, checked.duplicates, complaint)) continue;
			}
		}
		checked.recipients.push(recipient);
		checked.places.push(place);
	}
	return checked;
}

/** What is wrong beside the words: with the number, or with another field. */
function complaintOf(reading: RecipientNumber): Pick<Complaint, 'code' | 'advice'> {
	if (reading.problem === undefined) return { code: 'field' };
	const { reason: code, advice } = reading;
	return advice === undefined ? { code } : { code, advice };
}
