import type { IDataObject } from 'n8n-workflow';
import type { Complaint, Reason, Screen, StartScreen } from '../reason';
import { EarlierNumbers } from './earlierNumbers';
import type { OnProblem, RecipientOptions } from './fields';
import type { RecipientKind, RowNotes } from './kind';
import { readRecipientNumber } from './phoneNumber';

/**
 * Under which name outputs count a recipient that is left out: each kind of problem with its values
 * is `invalid`.
 */
export function leftOutAs({ code }: Reason) {
	return code === 'duplicate' ||
		code === 'doNotContact' ||
		code === 'hoursBetweenTexts' ||
		code === 'sendingHours' ||
		code === 'blank'
		? code
		: 'invalid';
}

/** How recipients are checked. */
interface CheckOptions extends RecipientOptions {
	screen: StartScreen | undefined;
	/** What complaints call the recipient at a place: "item 3". */
	nameOf: (place: number) => string;
	/** Is told of a problem, and what the user wants to happen because of it. */
	complain: (complaint: Complaint, onProblem: OnProblem) => void;
}

/** Checks recipients one after the other, wherever they come from. */
export class RecipientChecks {
	private readonly kind: RecipientKind;
	private readonly options: CheckOptions;
	private readonly screen: Screen | undefined;
	private readonly earlier = new EarlierNumbers();
	/** The first problem of the recipient that is being checked. */
	private problem: Reason | undefined;
	/** What looks wrong with the recipient that is being checked. */
	private doubt: string | undefined;
	/** How many are sent to with something that looks wrong, and what it is of the first. */
	private doubts = 0;
	private firstDoubt: string | undefined;
	private readonly notes: RowNotes = {
		report: (text) => {
			this.problem ??= { code: 'field', text };
		},
		warn: (text) => {
			this.doubt ??= text;
		},
	};

	constructor(kind: RecipientKind, options: CheckOptions) {
		this.kind = kind;
		this.options = options;
		this.screen = options.screen?.();
	}

	/** Notes somebody to whom an earlier try has sent: whoever has the number as well is a duplicate. */
	noteEarlier(phoneNumber: unknown, place: number): void {
		const { key } = readRecipientNumber(phoneNumber, this.options.numbers);
		if (key !== undefined) this.earlier.note(key, place);
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
		this.problem = reading.problem;
		this.doubt = undefined;
		const recipient = kind.build(reading.number, candidate, this.notes);
		if (this.problem !== undefined) {
			options.complain({ place, phoneNumber, ...this.problem }, options.invalid);
			if (options.invalid !== 'send') return undefined;
		}
		const first = reading.key === undefined ? undefined : this.earlier.note(reading.key, place);
		if (first !== undefined) {
			const text = `is a duplicate of ${options.nameOf(first)}`;
			options.complain({ place, phoneNumber, code: 'duplicate', text }, options.duplicate);
			if (options.duplicate !== 'send') return undefined;
		}
		const leftOut = this.screen?.(recipient[kind.numberName]);
		if (leftOut === undefined) {
			this.noteDoubt(place);
			return recipient;
		}
		options.complain({ place, phoneNumber: recipient[kind.numberName], ...leftOut }, 'skip');
		return undefined;
	}

	private noteDoubt(place: number): void {
		if (this.doubt === undefined) return;
		this.doubts++;
		this.firstDoubt ??= `In ${this.options.nameOf(place)}, ${this.doubt}`;
	}

	/** What looks wrong with recipients that are sent to; undefined where nothing does. */
	warning(): string | undefined {
		const { firstDoubt, doubts } = this;
		if (firstDoubt === undefined || doubts === 1) return firstDoubt && `${firstDoubt}.`;
		return `${firstDoubt}. Something looks wrong in ${doubts} rows.`;
	}
}
