import { range, upperFirst } from 'lodash';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { Failure, type Sent } from '../failure';
import type { Price } from '../messageText';
import type { Complaint } from '../reason';

/** What a request came to, or a read, for the input rows that it stands for. */
export interface Result {
	/** Whether the service has accepted what they stand for. */
	sent: Sent;
	/** Output items of the success branch. */
	records?: IDataObject[] | undefined;
	failure?: Failure | undefined;
	/** Those who were left out on purpose when its turn came, by their places: the others were sent to. */
	leftOut?: readonly Complaint[];
	/** More fields of the error item. */
	errorFields?: IDataObject;
	/** Files of the first item. */
	binary?: IBinaryKeyData;
	/** Of a file or list that was sent in part. */
	inPart?: SentInPart | undefined;
}

/** What a part of a typed list came to. */
export interface PartOfList {
	sent: Sent;
	/** Its entries; none where they are not known. */
	places: readonly number[];
	/** Whether it has reached people who are not on the list any more. */
	hasLeft?: boolean;
}

/** What earlier tries have sent of a list. */
export interface EarlierOfList {
	/** Who is not sent to because of it. */
	places: ReadonlySet<number>;
	/** Of a typed list: input items have their outcomes. */
	results: readonly (Result & PartOfList)[];
	/** Of a typed list: the entries of people whom no earlier try has reached. */
	others: readonly number[];
}

export const NOTHING_EARLIER: EarlierOfList = { places: new Set(), results: [], others: [] };

/** What was sent of a file or list, and what not. */
export interface SentInPart {
	/** In words, with how to go on. */
	text: string;
	/** Whether any of it is left to send. */
	isOpen: boolean;
	/** Whether it is known of all of it. */
	isClear: boolean;
}

/**
 * "Sent: items 0 to 3. Not sent: item 4." Of a state that nothing is in, it says nothing.
 * @param done in place of "sent", where nobody is reached
 */
export function sentInWords(
	{ yes = '', possibly = '', no = '' }: Partial<Record<Sent, string>>,
	done: 'sent' | 'done' = 'sent',
): string {
	const check = done === 'sent' ? ' Check in the service before sending again.' : '';
	return [
		yes === '' ? '' : `${upperFirst(done)}: ${yes}.`,
		possibly === '' ? '' : `Possibly ${done}: ${possibly}.${check}`,
		no === '' ? '' : `Not ${done}: ${no}.`,
	]
		.filter(Boolean)
		.join(' ');
}

/** What an input row came to. */
export interface Outcome extends Result {
	/** The input rows that share it, in ascending order: all recipients of a campaign, for example. */
	rows: readonly number[];
	/** Why its one row was left out on purpose. */
	complaint?: Complaint;
}

/** The result of what has thrown. @param sent whether the rows may have been sent all the same */
export function failedResult(thrown: unknown, sent: Sent): Result & { failure: Failure } {
	const failure = Failure.of(thrown);
	return { sent: failure.sent === 'possibly' ? 'possibly' : sent, failure };
}

/** Whether a result stops the node. What is left out on purpose does not, and no earlier try. */
const isStopping = ({ failure }: Result) =>
	failure !== undefined && !failure.facts.isEarlier && !failure.facts.isLeftOut;

/** What a row has of a message, and what it costs a part. */
interface RowMessage {
	phoneNumber: unknown;
	message: unknown;
	price: Price;
}

type NumberReader = (row: number) => unknown;

const MOST_CHARACTERS = 30;

function numberText(value: unknown): string | undefined {
	const isShown = (typeof value === 'string' && value !== '') || typeof value === 'number';
	return isShown ? String(value).slice(0, MOST_CHARACTERS) : undefined;
}

/** The input rows: what each has of a message, for its error item, and its outcome, written once. */
export class Rows {
	readonly total: number;
	/** All rows. */
	readonly all: readonly number[];
	/** Whether something has failed in this try. */
	hasFailed = false;
	private readonly byRow: (Outcome | undefined)[];
	private readonly numberReaders: NumberReader[] = [];
	private readonly messages: RowMessage[] = [];

	constructor(total: number) {
		this.total = total;
		this.all = range(total);
		this.byRow = new Array<Outcome | undefined>(total);
	}

	/** Notes the message of a row: its text as its request has it, or as it is written. */
	noteMessage(row: number, message: RowMessage): void {
		this.messages[row] = message;
	}

	messageOf(row: number): RowMessage | undefined {
		return this.messages[row];
	}

	/** Notes what reads whom rows are about, where it is asked for; undefined for the other rows. */
	noteNumbers(read: NumberReader): void {
		this.numberReaders.push(read);
	}

	/** The phone number of a row as it came, for people; undefined where it has none to show. */
	phoneNumberOf(row: number): string | undefined {
		for (const read of this.numberReaders) {
			const number = numberText(read(row));
			if (number !== undefined) return number;
		}
		return numberText(this.messages[row]?.phoneNumber);
	}

	/** Notes a failure, before it is an outcome: nothing more is started after it. */
	noteFailure(result: Result): void {
		this.hasFailed ||= isStopping(result);
	}

	/** Notes what rows came to that have no outcome yet. */
	set(rows: readonly number[], result: Result): void {
		this.noteFailure(result);
		const open = rows.filter((row) => this.byRow[row] === undefined);
		const outcome: Outcome = { ...result, rows: open };
		for (const row of open) this.byRow[row] = outcome;
	}

	/** Notes that a row was left out on purpose: without a failure, the node goes on. */
	leaveOut(complaint: Complaint): void {
		const { place: row } = complaint;
		this.byRow[row] ??= { sent: 'no', rows: [row], complaint };
	}

	/** Undefined until it is set. */
	outcomeOf(row: number): Outcome | undefined {
		return this.byRow[row];
	}

	/** The rows of one state. */
	inState(sent: Sent): number[] {
		return this.all.filter((row) => (this.byRow[row]?.sent ?? 'no') === sent);
	}

	/** The outcomes, each once, in the order of their first rows. */
	*outcomes(): Generator<Outcome> {
		for (let row = 0; row < this.total; row++) {
			const outcome = this.byRow[row];
			if (outcome?.rows[0] === row) yield outcome;
		}
	}

	/** The first outcome that stops the node: one of this try, if there is any. */
	firstFailed(): (Outcome & { failure: Failure }) | undefined {
		const failures = [...this.outcomes()].flatMap((outcome) =>
			outcome.failure === undefined ? [] : [{ ...outcome, failure: outcome.failure }],
		);
		return failures.find(isStopping) ?? failures.find(({ failure }) => failure.facts.isEarlier);
	}
}
