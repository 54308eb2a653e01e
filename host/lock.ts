import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Open until this process ends, and so locked. */
const taken: DatabaseSync[] = [];

/**
 * Lets one process work in a folder. SQLite's file lock does it: the operating system gives it to one
 * process, and releases it however that process ends.
 */
export function takeLock(file: string): void {
	mkdirSync(path.dirname(file), { recursive: true });
	const database = new DatabaseSync(`${file}.sqlite`);
	try {
		database.exec('BEGIN EXCLUSIVE');
	} catch (error) {
		database.close();
		if (!(error instanceof Error && error.message === 'database is locked')) throw error;
		throw new Error('This runs already in this clone. Stop that one first.');
	}
	taken.push(database);
}
