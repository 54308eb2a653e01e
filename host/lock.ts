import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Lets one process work in a folder. SQLite's file lock does it: the operating system gives it to one
 * process, and releases it however that process ends. A second file says who has it.
 */
export class Lock {
	private readonly file: string;
	private database: DatabaseSync | undefined;

	/** @param file where to say who has the lock; the lock itself is beside it */
	constructor(file: string) {
		this.file = file;
	}

	/** Takes the lock; fails when another process has it. */
	take(): void {
		mkdirSync(path.dirname(this.file), { recursive: true });
		const database = new DatabaseSync(`${this.file}.sqlite`);
		try {
			database.exec('BEGIN EXCLUSIVE');
		} catch (error) {
			database.close();
			if (!(error instanceof Error && error.message === 'database is locked')) throw error;
			throw new Error(`This runs already in this clone${this.holder()}. Stop that one first.`);
		}
		this.database = database;
		this.annotate();
	}

	/** Says more about what has the lock. */
	annotate(note?: string): void {
		const details = [`process ${String(process.pid)}`, ...(note === undefined ? [] : [note])];
		writeFileSync(this.file, details.join(', '));
	}

	/** Releases the lock. */
	release(): void {
		this.database?.close();
		this.database = undefined;
	}

	/** Who has the lock; nothing in the moment before it has said so. */
	private holder(): string {
		try {
			return ` (${readFileSync(this.file, 'utf8')})`;
		} catch {
			return '';
		}
	}
}
