import { randomUUID } from 'node:crypto';
import type { Note } from './view.ts';

const mostNotes = 50;

/** The latest notes, so that the page after a form's redirect can show one and no address can make one up. */
export class Notes {
	readonly #notes = new Map<string, Note>();

	/** Keeps a note; returns the name to fetch it by. */
	add(note: Note): string {
		const id = randomUUID();
		this.#notes.set(id, note);
		for (const old of [...this.#notes.keys()].slice(0, -mostNotes)) this.#notes.delete(old);
		return id;
	}

	get(id: string): Note | undefined {
		return this.#notes.get(id);
	}
}
