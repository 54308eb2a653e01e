import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from './runtime.mjs';

/** A file that says which process works in a folder, so that no second one does. */
export class Lock {
	private readonly file: string;

	constructor(file: string) {
		this.file = file;
	}

	/** Takes the lock; fails when a process that is still running has it. */
	take(): void {
		mkdirSync(path.dirname(this.file), { recursive: true });
		if (existsSync(this.file)) {
			const { pid, note } = JSON.parse(readFileSync(this.file, 'utf8')) as {
				pid: number;
				note?: string;
			};
			if (pid !== process.pid && isAlive(pid)) {
				throw new Error(
					`This runs already in this clone (process ${String(pid)}${note === undefined ? '' : `, ${note}`}). Stop that one first.`,
				);
			}
		}
		this.annotate();
	}

	/** Says more about what has the lock. */
	annotate(note?: string): void {
		writeFileSync(this.file, JSON.stringify({ pid: process.pid, note }));
	}

	/** Gives the lock back. */
	release(): void {
		rmSync(this.file, { force: true });
	}
}
