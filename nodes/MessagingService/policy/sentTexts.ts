import type { Sent } from '../failure';

/** The texts of one request that this process sends. */
export interface SentNote {
	/** When they go out: milliseconds since 1970. */
	at: number;
	/** What the request came to, and since when that is known; undefined while it is in progress. */
	outcome?: { sent: Sent; since: number };
	/** What the service calls them, in lower case: the ID of the message, or of the campaign. */
	id?: string;
}

/** Notes what a request came to. @param id what the service calls its texts, if it was accepted */
export function settleNote(note: SentNote, sent: Sent, id?: unknown): void {
	if (note.outcome?.sent === 'yes') return;
	note.outcome = { sent, since: Date.now() };
	if (sent === 'yes' && id !== undefined) note.id = String(id).toLowerCase();
}

/** What this process has sent with an account: it counts until the service lists it. */
export class SentTexts {
	/** By the person's key, the latest last. */
	private readonly byPerson = new Map<string, SentNote[]>();

	/** Notes a request that is about to go out to these people. */
	add(people: readonly string[], at: number): SentNote {
		const note: SentNote = { at };
		for (const person of people) {
			const own = this.byPerson.get(person);
			if (own === undefined) this.byPerson.set(person, [note]);
			else own.push(note);
		}
		return note;
	}

	/** The requests that have texted somebody, or may have: of those to one campaign, the latest. */
	to(person: string): SentNote[] {
		const notes = this.byPerson.get(person) ?? [];
		return notes.filter(({ outcome, id }, index) => {
			const isChanged =
				id !== undefined && notes.some((other, at) => at > index && other.id === id);
			return outcome?.sent !== 'no' && !isChanged;
		});
	}

	/** Forgets what does not count any more. */
	forget(isOver: (note: SentNote, person: string) => boolean): void {
		for (const [person, notes] of this.byPerson) {
			const others = notes.filter((note) => !isOver(note, person));
			if (others.length === 0) this.byPerson.delete(person);
			else if (others.length < notes.length) this.byPerson.set(person, others);
		}
	}
}
