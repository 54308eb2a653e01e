import type { IDataObject } from 'n8n-workflow';
import type { Reason } from '../numbers/problems';
import { EarlierNumbers } from './earlierNumbers';
import type { OnProblem, RecipientOptions } from './fields';
import type { RecipientKind } from './kind';
import { readRecipientNumber } from './number';

/** A recipient that something is wrong with, or that is left out. */
export interface Complaint {
	/** Position of the input item, or in the list that the node was given; of a file, the line. */
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

/** Why recipients are left out, as outputs count them. */
export type LeftOutAs = 'invalid' | 'duplicate' | 'doNotContact' | 'sendingHours';

/** As what a recipient counts. Each kind of problem with its values is `invalid`. */
export function countedAs({ code }: Complaint): LeftOutAs {
	return code === 'duplicate' || code === 'doNotContact' || code === 'sendingHours'
		? code
		: 'invalid';
}

/** Why a recipient is left out that nothing is wrong with. */
export type LeftOutReason = Pick<Complaint, 'code' | 'reason' | 'advice' | 'nextAllowedTime'>;

/** Decides about a recipient by its phone number as it would be sent; undefined: it stays. */
export type Screen = (number: unknown) => LeftOutReason | undefined;

/** How recipients are checked. */
interface CheckOptions extends Pick<RecipientOptions, 'invalid' | 'duplicate' | 'numbers'> {
	screen?: Screen | undefined;
	/** What complaints call the recipient at a place: "item 3". */
	nameOf: (place: number) => string;
}

/** Is told of a problem, and what the user wants to happen because of it. */
type Complain = (complaint: Complaint, onProblem: OnProblem) => void;

/** Checks recipients one after the other, wherever they come from. */
export class RecipientChecks {
	private readonly kind: RecipientKind;
	private readonly options: CheckOptions;
	private readonly earlier = new EarlierNumbers();
	private readonly complain: Complain;
	private problem: string | undefined;
	private readonly report = (problem: string) => {
		this.problem ??= problem;
	};

	constructor(kind: RecipientKind, options: CheckOptions, complain: Complain) {
		this.kind = kind;
		this.options = options;
		this.complain = complain;
	}

	/**
	 * Checks one recipient.
	 * @param place where it comes from, as complaints have it
	 * @returns the recipient as the request has it; undefined where nothing is sent to it
	 */
	check(candidate: IDataObject, place: number): IDataObject | undefined {
		const { kind, options } = this;
		const phoneNumber = candidate[kind.numberName];
		const reading = readRecipientNumber(phoneNumber, options.numbers);
		this.problem =
			reading.problem === undefined ? undefined : `the phone number ${reading.problem}`;
		const recipient = kind.build(reading.number, candidate, this.report);
		if (this.problem !== undefined) {
			const isNumber = reading.problem !== undefined;
			const kindOf = isNumber ? { code: reading.reason, advice: reading.advice } : FIELD;
			const about = { itemIndex: place, phoneNumber, reason: this.problem, ...kindOf };
			this.complain(about, options.invalid);
			if (options.invalid !== 'send') return undefined;
		}
		const first = reading.key === undefined ? undefined : this.earlier.note(reading.key, place);
		if (first !== undefined) {
			const reason = `the phone number is a duplicate of ${options.nameOf(first)}`;
			const about = { itemIndex: place, phoneNumber, reason, code: 'duplicate' as const };
			this.complain(about, options.duplicate);
			if (options.duplicate !== 'send') return undefined;
		}
		return this.isScreened(recipient[kind.numberName], place) ? undefined : recipient;
	}

	private isScreened(phoneNumber: IDataObject[string], place: number): boolean {
		const leftOut = this.options.screen?.(phoneNumber);
		if (leftOut === undefined) return false;
		this.complain({ itemIndex: place, phoneNumber, ...leftOut }, 'skip');
		return true;
	}
}

const FIELD = { code: 'field' } as const;
