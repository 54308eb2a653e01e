import type { IDataObject } from 'n8n-workflow';
import type { Reason } from '../numbers/problems';
import { earlierCandidates, type EarlierNumbers } from './earlierNumbers';
import type { OnProblem, RecipientOptions } from './fields';
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
	code: Reason | 'field' | 'duplicate' | 'doNotContact' | 'sendingHours' | 'sendingPolicy';
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

/** What the user wants to happen to a recipient that something is wrong with. */
export type Complain = (
	list: 'invalid' | 'duplicates',
	onProblem: OnProblem,
	complaint: Complaint,
) => void;

/** Checks recipients one after the other, wherever they come from. */
export class RecipientChecks {
	private readonly kind: RecipientKind<unknown>;
	private readonly options: CheckOptions;
	private readonly earlier: EarlierNumbers;
	private readonly complain: Complain;
	private problem: string | undefined;
	private readonly report = (problem: string) => {
		this.problem ??= problem;
	};

	constructor(
		kind: RecipientKind<unknown>,
		options: CheckOptions,
		earlier: EarlierNumbers,
		complain: Complain,
	) {
		this.kind = kind;
		this.options = options;
		this.earlier = earlier;
		this.complain = complain;
	}

	/**
	 * Checks one recipient.
	 * @param place what a complaint about it names
	 * @returns the recipient as the request has it; undefined where nothing is sent to it
	 */
	check(candidate: IDataObject, place: number): unknown {
		const { kind, options } = this;
		const phoneNumber = candidate[kind.numberName];
		const reading = readRecipientNumber(phoneNumber, options.numbers);
		this.problem =
			reading.problem === undefined ? undefined : `the phone number ${reading.problem}`;
		const recipient = kind.build(reading.number, candidate, this.report);
		if (this.problem !== undefined) {
			const about = { itemIndex: place, phoneNumber, reason: this.problem };
			this.complain('invalid', options.invalid, { ...about, ...complaintOf(reading) });
			if (options.invalid !== 'send') return undefined;
		}
		const first = reading.key === undefined ? undefined : this.earlier.note(reading.key, place);
		if (first !== undefined) {
			const reason = `the phone number is a duplicate of ${first}`;
			const complaint: Complaint = { itemIndex: place, phoneNumber, reason, code: 'duplicate' };
			this.complain('duplicates', options.duplicate, complaint);
			if (options.duplicate !== 'send') return undefined;
		}
		return recipient;
	}
}

type CheckOptions = Pick<RecipientOptions, 'invalid' | 'duplicate' | 'numbers'>;

/** Checks all candidates, before anything is sent to any of them. */
export function checkRecipients(
	kind: RecipientKind<unknown>,
	candidates: Candidates,
	itemIndexes: readonly number[],
	options: CheckOptions,
): CheckedRecipients {
	const checked: CheckedRecipients = {
		recipients: [],
		places: [],
		invalid: [],
		duplicates: [],
		skipped: [],
		stopping: [],
	};
	const checks = new RecipientChecks(
		kind,
		options,
		earlierCandidates(candidates),
		(list, onProblem, complaint) => {
			checked[list].push(complaint);
			if (onProblem === 'skip') checked.skipped.push(complaint);
			if (onProblem === 'stop') checked.stopping.push(complaint);
		},
	);
	for (let position = 0; position < candidates.count; position++) {
		const place = candidates.isItems ? (itemIndexes[position] ?? position) : position;
		const recipient = checks.check(candidates.at(position), place);
		if (recipient === undefined) continue;
		checked.recipients.push(recipient);
		checked.places.push(place);
	}
	return checked;
}

/** What is wrong beside the words: with the number, or with another field. */
function complaintOf(reading: RecipientNumber): Pick<Complaint, 'code' | 'advice'> {
	if (reading.problem === undefined) return { code: 'field' };
	const { reason: code, advice } = reading;
	return { code, advice };
}
