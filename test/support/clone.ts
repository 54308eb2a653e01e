import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(__dirname, '..', '..');

/** Copies the files that git knows, as they are in the working tree, but for the pictures. */
export function copyClone(target: string): void {
	const files = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' });
	for (const file of files.split('\0').filter((name) => name !== '')) {
		if (file.startsWith('docs/pictures/')) continue;
		cpSync(path.join(repository, file), path.join(target, file));
	}
}
