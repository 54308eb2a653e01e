import { isEmpty, map, omit, sum } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import {
	BLANK_ROW,
	clauseOf,
	type Complaint,
	type Reason,
	type Remark,
	type Screen,
	type StartScreen,
} from '../reason';
import type { Block } from '../parameters/operationInput';
import { SeenNumbers } from './seenNumbers';
import { onProblemLabels, type OnProblem, type RecipientOptions } from './fields';
import type { RecipientKind, RowReporter } from './kind';
import { readRecipientNumber } from './phoneNumber';

/** Reasons that outputs count by their codes: each other one is a problem with the values of a row. */
const COUNTED = [
	'duplicate',
	'doNotContact',
	'hoursBetweenTexts',
	'sendingHours',
	'blank',
] as const;

/** Under which name outputs count a recipient that is left out. */
export function leftOutAs({ code }: { code: string }): (typeof COUNTED)[number] | 'invalid' {
	return COUNTED.find((counted) => counted === code) ?? 'invalid';
}

/** How many rows were left out, and why. */
export type LeftOut = Partial<Record<ReturnType<typeof leftOutAs>, number>>;

/** How the rows of a list or file are taken. */
interface PassOptions extends RecipientOptions {
	screen: StartScreen | undefined;
	/** Whether the first pass has found all texts plain: a file is read a tenth faster with it. */
	areTextsPlain?: boolean | undefined;
	/** The first place to send to: those before it only tell who has come before. */
	from: number;
	/** What complaints call the recipient at a place: "item 3". */
	nameOf: (place: number) => string;
	/** Is told why a row is not sent, or should not be, and what the user wants to happen then. */
	complain: (complaint: Complaint, onProblem: OnProblem) => void;
}

/** Kinds of what looks wrong that are named. */
const MOST_DOUBTS = 5;

/**
 * One pass through the rows of a list or a file, wherever they come from: each is checked, left out or
 * taken, and counted. Those that are taken are divided into blocks.
 */
export class RecipientPass {
	/** Of all rows. */
	readonly leftOut: LeftOut = {};
	/** Why the rows that stop the run do so: how many, and the first of them. */
	readonly stopping: { count: number; first: Complaint | undefined } = {
		count: 0,
		first: undefined,
	};
	private readonly kind: RecipientKind;
	private readonly options: PassOptions;
	private readonly screen: Screen | undefined;
	private readonly seen = new SeenNumbers();
	/** The block of the next rows. */
	private block: Block = { recipients: [], places: [] };
	/** The row that is taken. */
	private place = 0;
	/** Its first problem. */
	private problem: Reason | undefined;
	/** What looks wrong with it. */
	private doubts: Remark[] = [];
	/** How many are sent to with something that looks wrong, and the first of each kind of it. */
	private doubtful = 0;
	private readonly firstDoubts = new Map<string, Remark>();
	/** Whether nothing was wrong, or looked wrong, in any text so far. */
	areTextsPlain = true;
	/** Is told of what is wrong with its fields. */
	private readonly reporter: RowReporter;

	constructor(kind: RecipientKind, options: PassOptions) {
		this.kind = kind;
		this.options = options;
		this.screen = options.screen?.();
		this.reporter = {
			areTextsPlain: options.areTextsPlain,
			report: (text, advice) => {
				this.areTextsPlain = false;
				this.problem ??= { code: 'field', text, advice };
			},
			warn: (text, advice) => {
				this.areTextsPlain = false;
				this.doubts.push({ text, advice });
			},
		};
	}

	/**
	 * Somebody to whom an earlier try has sent is not sent to: whoever has the number as well is a
	 * duplicate.
	 * @param at the place that complaints have
	 */
	skipSent(phoneNumber: unknown, at: number): void {
		const { key } = readRecipientNumber(phoneNumber, this.options.numbers);
		if (key !== undefined) this.seen.note(key, at);
	}

	/**
	 * Takes a row.
	 * @param candidate its fields; undefined where it is blank
	 * @param at the place that complaints have: the line of a file
	 * @returns whether it became a recipient
	 */
	take(candidate: IDataObject | undefined, place: number, at = place): boolean {
		this.place = place;
		if (candidate === undefined) {
			this.leaveOut({ ...BLANK_ROW, place: at, phoneNumber: undefined }, 'skip');
			return false;
		}
		const recipient = this.check(candidate, at);
		if (recipient === undefined || place < this.options.from) return false;
		const { recipients, places } = this.block;
		recipients.push(recipient);
		places.push(place);
		return true;
	}

	/** Leaves out a row that cannot be read: it is never sent, not even "anyway". */
	skipUnreadable(problem: Reason, place: number, at: number): void {
		this.place = place;
		const complaint = { place: at, phoneNumber: undefined, ...problem };
		this.leaveOut(complaint, this.options.invalid === 'stop' ? 'stop' : 'skip');
	}

	/** Whether the block has all recipients of a campaign. */
	get isFull(): boolean {
		return this.block.places.length === this.options.perCampaign;
	}

	/** The block of the rows since the last one; none where nobody is left of them. */
	endBlock(): Block[] {
		const { block } = this;
		if (block.recipients.length === 0) return [];
		this.block = { recipients: [], places: [] };
		return [block];
	}

	/** Counts one that is left out. */
	countLeftOut(reason: Reason): void {
		const name = leftOutAs(reason);
		this.leftOut[name] = (this.leftOut[name] ?? 0) + 1;
	}

	/** What looks wrong with recipients that are sent to; undefined where nothing does. */
	warning(): string | undefined {
		if (this.doubtful === 0) return undefined;
		const doubts = [...this.firstDoubts.values()];
		// Of several kinds, there would be too much to read.
		const advice = doubts.length === 1 ? ` ${doubts[0]?.advice}` : '';
		const first = `${map(doubts, 'text').join('. ')}.${advice}`;
		return this.doubtful === 1 ? first : `${first} Something looks wrong in ${this.doubtful} rows.`;
	}

	/** The recipient as the request has it; undefined where nothing is sent to it. */
	private check(candidate: IDataObject, place: number): IDataObject | undefined {
		const { kind, options } = this;
		const phoneNumber = candidate[kind.numberName];
		const reading = readRecipientNumber(phoneNumber, options.numbers);
		this.problem = reading.problem;
		if (this.doubts.length > 0) this.doubts = [];
		const recipient = kind.build(reading.number, candidate, this.reporter);
		if (this.problem !== undefined) {
			this.leaveOut({ place, phoneNumber, ...this.problem }, options.invalid);
			if (options.invalid !== 'send') return undefined;
		}
		const first = reading.key === undefined ? undefined : this.seen.note(reading.key, place);
		if (first !== undefined) {
			const reason = duplicateOf(options.nameOf(first));
			this.leaveOut({ place, phoneNumber, ...reason }, options.duplicate);
			if (options.duplicate !== 'send') return undefined;
		}
		const reason = this.screen?.(recipient[kind.numberName]);
		if (reason === undefined) {
			this.noteDoubt(place);
			return recipient;
		}
		this.leaveOut({ place, phoneNumber: recipient[kind.numberName], ...reason }, 'skip');
		return undefined;
	}

	/** Notes what is wrong with a row, and counts it unless it is sent all the same. */
	private leaveOut(complaint: Complaint, onProblem: OnProblem): void {
		if (this.place < this.options.from) return;
		this.options.complain(complaint, onProblem);
		if (onProblem === 'send') return;
		if (onProblem === 'stop') {
			this.stopping.count++;
			this.stopping.first ??= complaint;
		}
		this.countLeftOut(complaint);
	}

	private noteDoubt(place: number): void {
		if (this.doubts.length === 0 || this.place < this.options.from) return;
		this.doubtful++;
		for (const { text, advice } of this.doubts) {
			// Without what the row has: "Name contains no name".
			const kind = text.replace(/ \(.*$/s, '');
			if (this.firstDoubts.size === MOST_DOUBTS || this.firstDoubts.has(kind)) continue;
			this.firstDoubts.set(kind, { text: `In ${this.options.nameOf(place)}, ${text}`, advice });
		}
	}
}

const duplicateOf = (name: string): Reason => ({
	code: 'duplicate',
	text: `is a duplicate of ${name}`,
	advice: 'An earlier row includes this recipient: this row can be left out.',
});

/**
 * Some recipients are wrong, and the user wants nothing to be sent because of them.
 * @param complaints at least one
 * @param found how many of how many, and which
 * @param first where the first of them is
 * @param all where to find all of them
 */
export function refusedFor(
	kind: RecipientKind,
	complaints: readonly Complaint[],
	found: string,
	first: string,
	all: string,
): Failure {
	const [complaint] = complaints as [Complaint];
	const choice = `Or choose what to do with them under ${onProblemLabels(kind)} in Options.`;
	const description =
		`${first}, ${clauseOf(complaint)}. ${complaint.advice} ${choice} ${all}`.trim();
	return Failure.ofField(kind.label, `include ${found}`, description, { reasons: complaints });
}

/**
 * All recipients are left out: on purpose, unless each of them is invalid or blank.
 * @param first why the first of them is
 */
export function nobodyLeft(
	{ label }: RecipientKind,
	leftOut: LeftOut,
	first: Reason | undefined,
	complaints: readonly Complaint[] = [],
): Failure {
	const why =
		first === undefined ? '' : ` For the first of them, ${clauseOf(first)}. ${first.advice}`;
	const description = `None of ${sum(Object.values(leftOut))} is left to send to.${why}`;
	const isLeftOut = !isEmpty(omit(leftOut, 'invalid', 'blank'));
	return Failure.ofField(label, 'are all left out', description, {
		reasons: complaints,
		isLeftOut,
	});
}
