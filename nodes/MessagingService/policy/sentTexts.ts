import type { Sent } from '../failure';
import { identifierOf } from '../transport/responseShape';

/** The texts of one request that this process has sent, or is about to send. */
export interface SentNote {
	/** When they go out: milliseconds since 1970. */
	at: number;
	/** The keys of the people who get them. */
	readonly people: readonly string[];
	/** What the service calls them: the ID of the message, or of the campaign. */
	id?: string | undefined;
	/** The campaign of an update, which has other texts to the same people. */
	readonly campaignId?: string | undefined;
	/** When it became unclear whether the service has accepted them. */
	unclearSince?: number;
	/** How many of the people are still kept. */
	kept: number;
}

/** Whether the service lists what it may have accepted: after so long, its list tells. */
const LISTED_AFTER_MS = 10 * 60_000;

/** The most that the credential can ask for. */
export const MAX_HOURS = 168;
const KEPT_MS = MAX_HOURS * 3_600_000;

/** What this process has sent with an account: it counts before the service lists it. */
export class SentTexts {
	private readonly notes = new Set<SentNote>();
	private readonly byPerson = new Map<string, SentNote[]>();

	add(people: readonly string[], at: number, campaignId?: string): SentNote {
		const note: SentNote = { at, people, campaignId, kept: people.length };
		this.notes.add(note);
		for (const person of people) {
			const own = this.byPerson.get(person);
			if (own === undefined) this.byPerson.set(person, [note]);
			else own.push(note);
		}
		return note;
	}

	/** Notes what a request came to. @param response of the service, where it was accepted */
	settle(note: SentNote, sent: Sent, response: unknown): void {
		if (sent === 'no') this.remove(note);
		else if (sent === 'yes') this.accept(note, response);
		else if (note.id === undefined) note.unclearSince = Date.now();
	}

	/** An update takes the place of what its campaign had. */
	private accept(note: SentNote, response: unknown): void {
		const { campaignId } = note;
		note.id = (campaignId ?? String(identifierOf(response) ?? '')).toLowerCase();
		if (campaignId === undefined) return;
		for (const other of [...this.notes]) {
			if (other !== note && other.id === note.id) this.remove(other);
		}
	}

	/**
	 * The service lists a text to somebody under these IDs: its list is right from now on.
	 * @returns whether it counted until now
	 */
	list(person: string, ids: readonly unknown[]): boolean {
		const own = this.to(person);
		const known = new Set(ids.map((id) => String(id as string).toLowerCase()));
		const listed = own.filter(({ id }) => id !== undefined && known.has(id));
		for (const note of listed) this.removeFrom(person, note);
		return listed.length > 0;
	}

	/** The service's list was read: what it would have by then is not sent if it has not. */
	expire(readAt: number): void {
		for (const note of [...this.notes]) {
			const { at, unclearSince = Infinity } = note;
			const listedAt = Math.max(at, unclearSince) + LISTED_AFTER_MS;
			if (readAt > listedAt || readAt > at + KEPT_MS) this.remove(note);
		}
	}

	to(person: string): readonly SentNote[] {
		return this.byPerson.get(person) ?? [];
	}

	private remove(note: SentNote): void {
		this.notes.delete(note);
		for (const person of note.people) this.removeFrom(person, note);
	}

	private removeFrom(person: string, note: SentNote): void {
		const own = this.to(person);
		const others = own.filter((each) => each !== note);
		if (others.length === own.length) return;
		note.kept -= own.length - others.length;
		if (note.kept <= 0) this.notes.delete(note);
		if (others.length === 0) this.byPerson.delete(person);
		else this.byPerson.set(person, others);
	}
}
