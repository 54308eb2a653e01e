import type { Complaint } from '../reason';
import type { RequestCheck } from './requestCheck';
import { settleNote, SentTexts, type SentNote } from './sentTexts';

/** How far a rehearsal has come. */
interface Mark {
	policy: { recipients: number };
	notes: number;
}

/** What would be sent if nothing stopped it: each request counts for the next ones, as if it was sent. */
export class Rehearsal {
	/** The people who are reached, as the node's context counts them. */
	policy: { recipients: number };
	readonly texts = new SentTexts();
	private readonly notes: SentNote[] = [];

	/** @param policy those whom the node has reached */
	constructor(policy = { recipients: 0 }) {
		this.policy = policy;
	}

	/** Counts the texts of a request, but for those who are left out. */
	note(check: RequestCheck, leftOut: readonly Complaint[]): void {
		const note = check.noteIn(this.texts, leftOut);
		if (note !== undefined) this.notes.push(note);
	}

	mark(): Mark {
		return { policy: this.policy, notes: this.notes.length };
	}

	/** What was counted since a mark is refused: it reaches nobody, and leaves the next one its place. */
	takeBack({ policy, notes }: Mark): void {
		this.policy = policy;
		for (const note of this.notes.splice(notes)) settleNote(note, 'no');
	}
}
